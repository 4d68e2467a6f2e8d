// Zone transfers to and from other nameservers, as they are stored.
export { createSending, createSerialSteps } from './sending.ts'
export { createTransferFeed } from './transfer-feed.ts'
