export { parseCassette, type RecordedCall, type RecordedPart, type RecordedTurn } from "./cassette.ts";
export { recordModel, type WriteLine } from "./record-model.ts";
export { replayModel } from "./replay-model.ts";
