// The tokens of the user: what each may do, when it was used, and a new one.
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { tokenList, zoneWithId, type WireToken } from '../../api/tokens.ts'
import { useShortcuts } from '../../app/shortcuts.ts'
import { useConfirmation } from '../../parts/confirmation.tsx'
import { Icon } from '../../parts/icon.tsx'
import { MarkHead } from '../../parts/mark-head.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { Age, Day } from '../../parts/time.tsx'
import { strings } from '../../strings.ts'
import { tokenStrings as words } from '../../strings/tokens.ts'
import { NewToken } from './new-token.tsx'
import { TokenDetail } from './token-detail.tsx'
import { permissionText, placesOf } from './token-summary.ts'

const DAY_MILLIS = 86_400_000
/** A token that was not used for this long, or ends within a week, has a mark. */
const UNUSED_DAYS = 90
const ENDING_DAYS = 7

export function TokensScreen() {
  const search = useSearch({ from: '/frame/tokens' })
  const navigate = useNavigate({ from: '/tokens' })
  const { data: tokens, error, refetch, isPending } = useQuery(tokenList)
  const confirmation = useConfirmation()
  const isNew = search.add !== undefined
  const open = (add: string | undefined) => void navigate({ search: (last) => ({ ...last, add }) })
  useShortcuts({ n: () => open('token') })
  const shown = tokens?.find(({ id }) => id === search.token)
  return (
    <>
      <title>{`${words.title} · ${strings.product}`}</title>
      <PageHead title={words.title} intro={tokens !== undefined && words.intro(tokens.length)}>
        <button type="button" className="btn primary" onClick={() => open('token')}>
          {words.add} <kbd>n</kbd>
        </button>
      </PageHead>
      {isNew && <NewToken confirmation={confirmation} onClose={() => open(undefined)} />}
      {shown !== undefined && <TokenDetail key={shown.id} token={shown} confirmation={confirmation} />}
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {tokens?.length === 0 && !isNew && (
        <Empty headline={words.none} detail={words.noneDetail} command={words.noneCommand}>
          <button type="button" className="btn primary" onClick={() => open('token')}>
            {words.add} <kbd>n</kbd>
          </button>
        </Empty>
      )}
      {tokens !== undefined && tokens.length > 0 && <TokenTable tokens={tokens} />}
      {confirmation.dialog}
    </>
  )
}

const addressesOf = (token: WireToken): readonly string[] => token.condition?.request_ip?.in ?? [] // any address

function TokenTable({ tokens }: { readonly tokens: readonly WireToken[] }) {
  const [typed, setTyped] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useShortcuts({ '/': () => input.current?.focus() })
  const nameOf = useZoneNames(tokens)
  const found = tokens.filter((token) =>
    [token.name, permissionsOf(token), zonesText(token, nameOf), ...addressesOf(token)]
      .join(' ')
      .toLowerCase()
      .includes(typed.trim().toLowerCase()),
  )
  const { columns } = words
  return (
    <>
      <div className="filter top2">
        <label className="query">
          <Icon name="search" />
          <span className="vh">{words.filter}</span>
          <input
            ref={input}
            type="search"
            placeholder={words.filter}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setTyped('')}
          />
          <kbd>/</kbd>
        </label>
        <span className="hits wide">{words.hits(found.length, tokens.length)}</span>
      </div>
      {found.length === 0 ? (
        <p className="pad soft">
          {words.noMatch[0]} <code>{typed}</code> {words.noMatch[1]}{' '}
          <button type="button" className="link" onClick={() => setTyped('')}>
            {words.clear}
          </button>
        </p>
      ) : (
        <table className="reg">
          <thead>
            <tr>
              <MarkHead />
              <th className="w200">{columns.name}</th>
              <th>{columns.permissions}</th>
              <th className="w152 o1">{columns.zones}</th>
              <th className="w232 o1">{columns.from}</th>
              <th className="w104 num">{columns.used}</th>
              <th className="w152 num">{columns.expires}</th>
            </tr>
          </thead>
          <tbody>
            {found.map((token) => (
              <TokenRow key={token.id} token={token} nameOf={nameOf} />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

/** Zones that single tokens name; those that are named by many tokens are asked for once. */
function useZoneNames(tokens: readonly WireToken[]): (id: string) => string {
  const ids = [
    ...new Set(
      tokens.flatMap(({ policies }) => {
        const { zoneIds } = placesOf(policies)
        return zoneIds.length > MAX_NAMED ? [] : zoneIds
      }),
    ),
  ].slice(0, MAX_ASKED)
  const zones = useQueries({ queries: ids.map(zoneWithId) })
  const names = new Map(zones.map(({ data }, index) => [ids[index], data?.name]))
  return (id) => names.get(id) ?? id
}

/** Tokens with more zones show their number. */
const MAX_NAMED = 2
const MAX_ASKED = 40

const permissionsOf = ({ policies }: WireToken): string =>
  permissionText(
    policies
      .filter(({ effect }) => effect === 'allow')
      .flatMap(({ permission_groups: groups }) => groups.map(({ name }) => name)),
  )

function zonesText({ policies }: WireToken, nameOf: (id: string) => string): string {
  const { allZones, zoneIds } = placesOf(policies)
  if (allZones) return words.allZones
  if (zoneIds.length === 0) return words.noZones
  return zoneIds.length > MAX_NAMED ? words.zones(zoneIds.length) : zoneIds.map(nameOf).join(', ')
}

interface TokenRowProps {
  readonly token: WireToken
  readonly nameOf: (id: string) => string
}

function TokenRow({ token, nameOf }: TokenRowProps) {
  const isOff = token.status !== 'active'
  const used = token.last_used_on ?? token.issued_on
  const isUnused = Date.now() - Date.parse(used) > UNUSED_DAYS * DAY_MILLIS
  const { expires_on: end } = token
  const isEnding = end !== undefined && !isOff && Date.parse(end) - Date.now() < ENDING_DAYS * DAY_MILLIS
  const from = addressesOf(token)
  return (
    <tr className={isOff ? 'offrow' : undefined}>
      <td className={isUnused || isEnding ? 'm warn' : 'm dim'}>
        {isOff ? <Icon name="off" /> : (isUnused || isEnding) && <Icon name="warning" />}
      </td>
      <td className="k1">
        <Link className="go" to="/tokens" search={{ token: token.id }}>
          {token.name}
        </Link>
      </td>
      <td className="k3" title={permissionsOf(token)}>
        {permissionsOf(token)}
      </td>
      <td className="k4 soft o1">{zonesText(token, nameOf)}</td>
      <td className="mono o1" title={from.join(', ')}>
        {from.length === 0 ? words.any : from.join(', ')}
      </td>
      <td className={isUnused ? 'k2 num warn' : 'k2 num soft'}>
        {token.last_used_on === undefined ? words.never : <Age at={token.last_used_on} />}
      </td>
      <td className={isEnding ? 'num warn' : 'num soft'}>
        {isOff && words[token.status === 'expired' ? 'expired' : 'disabled']}
        {!isOff && (end === undefined ? words.never : <Day at={end} />)}
      </td>
    </tr>
  )
}
