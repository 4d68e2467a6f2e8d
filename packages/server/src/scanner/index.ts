// What scripts are made of: fetched without danger, told apart by their structure, scored.
export { createAddressGuard, type MayConnect } from './addresses.ts'
export { createHostAddresses, systemHostAddresses, type HostAddresses } from './host-addresses.ts'
export {
  createSafeFetch,
  FetchFailed,
  type FetchRequest,
  type SafeFetch,
  type Validators,
} from './safe-fetch.ts'
