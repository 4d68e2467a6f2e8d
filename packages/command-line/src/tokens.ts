// Commands for the tokens of the user: list, revoke, roll. `token create` works without a server, in the data folder.
import type { Command } from 'commander'
import type { Api } from './api.ts'
import { requireConfirmation } from './confirm.ts'
import type { OutputRow } from './output.ts'
import { client, PER_PAGE, result, run } from './verb.ts'

const COLUMNS = ['name', 'status', 'expires_on', 'last_used_on', 'id']
/** Per page of this list. */
const TOKENS_PER_PAGE = Math.min(50, PER_PAGE)

/** @param tokens the command that they are added to. */
export function addTokenCommands(tokens: Command): void {
  client(tokens.command('list'))
    .description('list the tokens of the user')
    .action(run(async (api, _, print) => print(await listTokens(api), COLUMNS)))
  client(tokens.command('revoke <token>'))
    .description('delete a token, by its id or its name; programs that use it are refused from now on')
    .option('--yes', 'do not ask for confirmation')
    .action(
      run(async (api, [given = ''], print, { yes }) => {
        const { id, name } = await findToken(api, given)
        await requireConfirmation({ action: `revoke the token ${name}`, expected: name, yes })
        print([await result(api, 'DELETE', `/user/tokens/${id}`)], ['id'])
      }),
    )
  client(tokens.command('roll <token>'))
    .description('give a token, by its id or its name, a new value, print it once, and refuse the old one')
    .option('--yes', 'do not ask for confirmation')
    .action(
      run(async (api, [given = ''], print, { yes }) => {
        const { id, name } = await findToken(api, given)
        await requireConfirmation({ action: `end the value of the token ${name}`, expected: name, yes })
        const { result: value } = await api.call<string>('PUT', `/user/tokens/${id}/value`, {})
        print([{ id, name, value }], ['value'])
      }),
    )
}

interface Token extends OutputRow {
  readonly id: string
  readonly name: string
}

const listTokens = (api: Api): Promise<Token[]> => api.all<Token>('/user/tokens', TOKENS_PER_PAGE)

/** @throws Error if no token or several have the name. */
async function findToken(api: Api, given: string): Promise<Token> {
  const tokens = await listTokens(api)
  const found = tokens.filter(({ id, name }) => id === given || name === given)
  const [token, ...others] = found
  if (token === undefined) throw new Error(`unknown token ${given}`)
  if (others.length === 0) return token
  throw new Error(
    `${found.length} tokens are called ${given}; use an id: ${found.map(({ id }) => id).join(', ')}`,
  )
}
