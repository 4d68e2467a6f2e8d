// zonereeve login, logout and servers: which servers the client commands know.
import type { Command } from 'commander'
import { createApi } from './api.ts'
import { ClientConfigError, readBaseUrl, readToken } from './client-config.ts'
import { askLine } from './confirm.ts'
import { FORMATS, formatRows } from './output.ts'
import { readServers, requireStored, writeServers } from './servers.ts'
import { formatOf, withFormats, type Options } from './verb.ts'

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/i

export function addLoginCommands(program: Command): void {
  program
    .command('login <name>')
    .description('store a server and a token under a name, and use it for client commands from now on')
    .requiredOption('--url <url>', 'base URL of its API, like https://dns.example.com')
    .action(async (name: string, { url }: { readonly url: string }) => login(name, url))
  program
    .command('logout [name]')
    .description('forget a stored server and its token; the token stays valid until it is revoked')
    .action((name: string | undefined) => logout(name))
  const servers = program.command('servers').description('list the stored servers, or select one')
  withFormats(servers.command('list'), FORMATS)
    .description('list the stored servers, without their tokens')
    .action((options: Options) => {
      const { current, servers: stored } = readServers()
      const rows = Object.entries(stored).map(([name, { url }]) => ({ name, url, current: name === current }))
      process.stdout.write(formatRows(rows, ['name', 'url', 'current'], formatOf(options)))
    })
  servers
    .command('use <name>')
    .description('use this server for client commands')
    .action((name: string) => {
      const { servers: stored } = readServers()
      requireStored(stored, name)
      writeServers({ current: name, servers: stored })
    })
}

async function login(name: string, url: string): Promise<void> {
  if (!NAME.test(name))
    throw new ClientConfigError(
      `name "${name}": must be at most 63 letters, digits, dots, hyphens or underscores`,
    )
  const { baseUrl } = readBaseUrl(url)
  // A token as an argument would be seen by other users of the machine.
  const token = readToken() ?? (await askLine(process.stdin.isTTY ? 'token: ' : ''))
  if (token === '')
    throw new ClientConfigError('no token: type it, pipe it into this command, or set ZONEREEVE_TOKEN')
  // Refused here rather than at the first command.
  await createApi({ baseUrl, token }).call('GET', '/user/tokens/verify')
  const { servers } = readServers()
  writeServers({ current: name, servers: { ...servers, [name]: { url: baseUrl, token } } })
  process.stderr.write(`client commands use ${name} (${baseUrl}) from now on\n`)
}

function logout(given: string | undefined): void {
  const { current, servers } = readServers()
  const name = given ?? current
  if (name === undefined) throw new ClientConfigError('no server is stored')
  requireStored(servers, name)
  const others = Object.fromEntries(Object.entries(servers).filter(([stored]) => stored !== name))
  writeServers({ current: current === name ? undefined : current, servers: others })
}
