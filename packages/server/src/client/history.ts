// Commands for the history of a zone.
import type { Command } from 'commander'
import type { Row } from './output.ts'
import { inZone, run, write, zoneOf } from './verb.ts'

const COLUMNS = ['number', 'at', 'actor', 'operations', 'serial']

export function addHistoryCommands(program: Command): void {
  inZone(program.command('history'))
    .description('change sets of a zone, newest first')
    .option('--limit <n>', 'how many', '20')
    .action(
      run(async (api, _, print, options) => {
        const path = `/zonereeve/zones/${await zoneOf(api, options)}/changes?per_page=${Number(options['limit'])}`
        const { result: changes } = await api.call<(Row & { actor: { name: string } })[]>('GET', path)
        print(
          changes.map((change) => ({ ...change, actor: change.actor.name })),
          COLUMNS,
        )
      }),
    )
  inZone(program.command('revert [number]'))
    .description('undo one change set, or with --to bring all records back to how they were after one')
    .option('--to <number>', 'bring back to after this change set')
    .option('--dry-run', 'tell what would change')
    .action(
      run(async (api, [number], print, options) => {
        const zone = `/zonereeve/zones/${await zoneOf(api, options)}`
        if ((number === undefined) === (options['to'] === undefined))
          throw new Error('give a number, or --to a number')
        const counts =
          number === undefined
            ? await write(api, 'POST', `${zone}/restore`, { number: Number(options['to']) }, options)
            : await write(api, 'POST', `${zone}/changes/${number}/revert`, {}, options)
        print([counts], ['restored', 'changed', 'removed'])
      }),
    )
}
