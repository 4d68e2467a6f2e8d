export {
  createNodeClient,
  explainFailure,
  isOfClosedConnection,
  Unanswered,
  type NodeClient,
  type NodeClientLimits,
  type NodeRequest,
} from './node-client.ts'
export { isOwn, nameServersFor, setNumberOf, type NameServerSet } from './name-server-sets.ts'
export { createWaiting, REACHED_PATH, type NodesBehind, type Waiting } from './waiting.ts'
export {
  createComparing,
  zoneStates,
  ZONE_STATES_PATH,
  type ComparedZones,
  type WrongAt,
  type ZoneState,
} from './comparing.ts'
