// What other scripts of a page define, as far as its modules use it.

interface BokehModel {
  id: string;
  [name: string]: any;
}

interface BokehDocument {
  get_model_by_id(id: string): any;
  roots(): any[];
  is_idle: boolean;
  [name: string]: any;
}

declare const Bokeh: {
  documents: BokehDocument[];
  index: { roots: any[]; get_by_id(id: string): any; find_one(model: any): any };
  [name: string]: any;
};

declare const katex: { render(latex: string, element: Element, options: object): void };

interface Window {
  Bokeh: typeof Bokeh;
  katex?: typeof katex;
  wb_page: any;
}

/** What the page's script goes by: JSON that its class in Python gives. */
type Facts = Record<string, any>;

/** The value of each setting. */
type Settings = Record<string, any>;

/** A certificate of a run, with its place. */
interface Row {
  step: number;
  epoch: number;
  gap: number;
  [name: string]: any;
}
