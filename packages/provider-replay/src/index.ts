export {
  parseCassette,
  readCassette,
  type RecordedCall,
  type RecordedOutcome,
  type RecordedPart,
  type RecordedTurn,
} from "./cassette.ts";
export { type RecordOptions, recordModel, type WriteLine } from "./record-model.ts";
export { replayModel, type ReplayOptions } from "./replay-model.ts";
