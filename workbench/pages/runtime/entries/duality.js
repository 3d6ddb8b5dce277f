export { frame, leftPoint, remembered, visitedColumns, weightColumns } from "../duality/frame.js";
export { lossPair, mirrored, regularizerPair } from "../duality/pair.js";
