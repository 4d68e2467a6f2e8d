// Tools for cooperative work: chunks, bounded maps, semaphores, backoff, waiting for changes. Imports nothing, also runs in browsers.
export { backoffMillis } from './backoff.ts'
export { BoundedMap } from './bounded-map.ts'
export {
  type Chunked,
  CHUNK_SIZE,
  chunksOf,
  createYieldIfDue,
  runAtOnce,
  runInChunks,
  yieldNow,
  yieldToOthers,
  yieldingIn,
} from './chunks.ts'
export { createDependencies } from './dependencies.ts'
export { type ChangeSignal, createChangeSignal } from './change-signal.ts'
export { createPromise, type OpenPromise } from './open-promise.ts'
export { type Release, Semaphore } from './semaphore.ts'
