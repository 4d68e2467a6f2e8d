// Client commands: thin verbs over the API of a running server. And the filter language, which needs no server.
import type { Command } from 'commander'
import { addImportCommands } from './account-import.ts'
import { addDnssecCommands } from './dnssec.ts'
import { addEventsCommand } from './events.ts'
import { addExprCommands } from './expr.ts'
import { addHistoryCommands } from './history.ts'
import { addLoadTestCommand } from './load-test.ts'
import { addQueryCommand } from './query.ts'
import { addRecordCommands } from './records.ts'
import { addLoginCommands } from './login.ts'
import { addScanCommand } from './page-scan.ts'
import { addScriptCommands } from './scripts.ts'
import { addWafCommands } from './waf.ts'
import { addZoneFileCommands } from './zone-file.ts'
import { addZoneCommands } from './zones.ts'

export { addShellCommands } from './shell.ts'
export { addTokenCommands } from './tokens.ts'
export { ApiError } from './api.ts'
export { ClientConfigError, loadClientConfig } from './client-config.ts'

/** @param exit sets the exit code of a command that has succeeded. */
export function addClientCommands(program: Command, exit: (code: number) => void): void {
  addLoginCommands(program)
  addExprCommands(program)
  addZoneCommands(program)
  addRecordCommands(program)
  addDnssecCommands(program)
  addHistoryCommands(program)
  addEventsCommand(program)
  addZoneFileCommands(program, exit)
  addQueryCommand(program)
  addWafCommands(program, exit)
  addScriptCommands(program)
  addScanCommand(program)
  addImportCommands(program, exit)
  addLoadTestCommand(program, exit)
}
