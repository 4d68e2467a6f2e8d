// Interface of a suite that runs one real client, and of its context.
import type { RequirementName } from '../../scripts/requirements.ts'
import type { Target } from '../program.ts'
import type { Report } from '../report.ts'
import type { VendorHost } from './vendor-host.ts'

export interface ClientSuite {
  /** The client's name; every check of the suite begins with it. */
  readonly name: string
  readonly needs: readonly RequirementName[]
  readonly run: (session: ClientSession) => Promise<void>
}

export interface ClientSession {
  readonly target: Target
  /** A token only for records; the target's token is the administrator's. */
  readonly clientToken: string
  readonly report: Report
  /** An empty folder for the suite; also the client's home. */
  readonly folder: string
  /** Makes the vendor's host name, built into some clients, lead to the target; started on first use. */
  readonly vendorHost: () => Promise<VendorHost>
}
