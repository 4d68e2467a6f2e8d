// Zone transfers to and from other nameservers: transaction signatures, AXFR and IXFR, notifications.
export { hmac } from './hmac.ts'
export { createSending, createSerialSteps } from './sending.ts'
export { createTransferFeed } from './transfer-feed.ts'
export { createUpdateResponder } from './update-responder.ts'
