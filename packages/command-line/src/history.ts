// Commands for the history of a zone.
import type { Command } from 'commander'
import type { OutputRow } from './output.ts'
import { integerOf } from './numbers.ts'
import { client, run, write } from './verb.ts'

/** Maximum per request. */
const MAX_CHANGES = 1_000
const changeNumber = integerOf(1, Number.MAX_SAFE_INTEGER)
const COLUMNS = ['number', 'at', 'actor', 'operations', 'serial']

export function addHistoryCommands(program: Command): void {
  client(program.command('history <zone>'))
    .description('list the change sets of a zone, newest first')
    .option(
      '--limit <number>',
      `number of change sets, at most ${MAX_CHANGES}`,
      integerOf(1, MAX_CHANGES),
      20,
    )
    .action(
      run(async (api, [zone = ''], print, { limit }) => {
        const path = `/zonereeve/zones/${await api.zoneId(zone)}/changes?per_page=${limit}`
        const { result: changes } = await api.call<(OutputRow & { actor: { name: string } })[]>('GET', path)
        print(
          changes.map((change) => ({ ...change, actor: change.actor.name })),
          COLUMNS,
        )
      }),
    )
  const revert = program
    .command('revert')
    .argument('<zone>')
    .argument('[number]', 'number of the change set', changeNumber)
  client(revert)
    .description('undo one change set, or with --to restore all records to their state after one')
    .option('--to <number>', 'restore the state after this change set', changeNumber)
    .option('--dry-run', 'show what would change')
    .action(
      run(async (api, [name = '', number], print, options) => {
        const zone = `/zonereeve/zones/${await api.zoneId(name)}`
        if ((number === undefined) === (options['to'] === undefined))
          throw new Error('use either a number or --to with a number')
        const counts =
          number === undefined
            ? await write(api, 'POST', `${zone}/restore`, { number: options['to'] }, options)
            : await write(api, 'POST', `${zone}/changes/${number}/revert`, {}, options)
        print([counts], ['restored', 'changed', 'removed'])
      }),
    )
}
