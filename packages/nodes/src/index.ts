export {
  createAsking,
  explainFailure,
  Unanswered,
  type Asking,
  type AskingLimits,
  type Question,
} from './asking.ts'
export { createWaiting, REACHED_PATH, type Waiting } from './waiting.ts'
export {
  createComparing,
  zoneStates,
  ZONE_STATES_PATH,
  type ComparedZones,
  type ZoneState,
} from './comparing.ts'
