"""Documents as sparse rows, from the package's loaders."""

from benchopt import BaseDataset

from workbench import data


class Dataset(BaseDataset):
    """Reuters-21578, a category against the others, and 20 newsgroups."""

    name = "texts"
    parameters = {"source": ["reuters-acq", "reuters-trade", "news20"]}  # noqa: RUF012
    parameter_template = "{source}"

    def get_data(self):
        """Return the training samples."""
        name, _, category = self.source.partition("-")
        task = data.load("reuters21578", category=category) if category else data.load(name)
        return {"X": task.X, "y": task.y}
