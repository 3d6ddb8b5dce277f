// The theme gives the arrows of its menu no name.
for (const arrow of document.querySelectorAll("summary:has(> .toctree-toggle)")) arrow.ariaLabel = "Pages below";
