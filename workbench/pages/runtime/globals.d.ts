// What other scripts of a page define, as far as the runtime uses it.

interface BokehModel {
  id: string;
  [name: string]: any;
}

interface BokehDocument {
  get_model_by_id(id: string): BokehModel | null;
  roots(): BokehModel[];
  is_idle: boolean;
  [name: string]: any;
}

declare const Bokeh: {
  documents: BokehDocument[];
  index: { roots: any[]; get_by_id(id: string): any };
  [name: string]: any;
};

interface Window {
  Bokeh: typeof Bokeh;
}
