// What a suite that runs one real client is, and what it is given.
import type { RequirementName } from '../../scripts/requirements.ts'
import type { Target } from '../program.ts'
import type { Report } from '../report.ts'
import type { VendorHost } from './vendor-host.ts'

export interface ClientSuite {
  /** The client's name: every check of the suite begins with it. */
  readonly name: string
  readonly needs: readonly RequirementName[]
  readonly run: (session: ClientSession) => Promise<void>
}

export interface ClientSession {
  readonly target: Target
  /** A token for records alone; that of the target is the administrator's. */
  readonly clientToken: string
  readonly report: Report
  /** An empty folder of the suite's own, which is also its client's home. */
  readonly folder: string
  /** The host name that clients without a setting for it have built in, leading to the target; started on first use. */
  readonly vendorHost: () => Promise<VendorHost>
}
