// Commands for zones.
import type { Command } from 'commander'
import { requireConfirmation } from './confirm.ts'
import type { OutputRow } from './output.ts'
import { client, PER_PAGE, result, run, zoneNamed } from './verb.ts'

const COLUMNS = ['name', 'status', 'id', 'name_servers']

export function addZoneCommands(program: Command): void {
  const zones = program.command('zones').description('list and edit zones')
  client(zones.command('list'))
    .description('list zones')
    .action(run(async (api, _, print) => print(await api.all<OutputRow>('/zones', PER_PAGE), COLUMNS)))
  client(zones.command('get <zone>'))
    .description('show a zone')
    .action(
      run(async (api, [zone = ''], print) =>
        print([await result(api, 'GET', `/zones/${await api.zoneId(zone)}`)], COLUMNS),
      ),
    )
  client(zones.command('create <name>'))
    .description('create a zone')
    .action(
      run(async (api, [name], print) => print([await result(api, 'POST', '/zones', { name })], COLUMNS)),
    )
  client(zones.command('delete <zone>'))
    .description('delete a zone and everything in it')
    .option('--yes', 'do not ask for confirmation')
    .action(
      run(async (api, [zone = ''], print, { yes }) => {
        const { id, name } = await zoneNamed(api, zone)
        await requireConfirmation({ action: `delete ${name} and everything in it`, expected: name, yes })
        print([await result(api, 'DELETE', `/zones/${id}`)], ['id'])
      }),
    )
}
