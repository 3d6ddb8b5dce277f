import { begin } from "../runtime/frame.js";

begin();
