export { graph, region, term } from "../duality/graph.js";
export { lossPair, mirrored, regularizerPair } from "../duality/pair.js";
