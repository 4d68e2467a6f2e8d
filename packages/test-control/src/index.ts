export { createTestClock, type TestClock } from './test-clock.ts'
export {
  createControl,
  SeedError,
  START,
  type Control,
  type ControlledServer,
  type ControlOptions,
  type SeedZone,
} from './control.ts'
export { createRequestWatch, type RequestWatch } from './request-watch.ts'
