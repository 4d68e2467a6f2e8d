// Client commands: thin verbs over the API of a running server.
import type { Command } from 'commander'
import { addHistoryCommands } from './history.ts'
import { addQueryCommand } from './query.ts'
import { addRecordCommands } from './records.ts'
import { addZoneCommands } from './zones.ts'

export function addClientCommands(program: Command): void {
  addZoneCommands(program)
  addRecordCommands(program)
  addHistoryCommands(program)
  addQueryCommand(program)
}
