// The zones that were created for a secondary catalog zone: their groups, and how their transfers went.
import { secondaryMembers, type WireSecondaryCatalogMember } from '../../api/catalogs.ts'
import { Icon } from '../../parts/icon.tsx'
import { StatusWord, type Tone } from '../../parts/status-word.tsx'
import { Age } from '../../parts/time.tsx'
import { catalogStrings } from '../../strings/catalogs.ts'
import { transferStrings } from '../../strings/transfers.ts'
import { MemberTable } from './member-table.tsx'

type Transfers = NonNullable<WireSecondaryCatalogMember['transfers']>

const TONES: Readonly<Record<Transfers['state'], Tone>> = {
  current: 'normal',
  waiting: 'expected',
  expired: 'wrong',
}

interface SecondaryMembersProps {
  readonly accountId: string
  readonly name: string
  /** How many there are. */
  readonly created: number
}

export function SecondaryMembers({ accountId, name, created }: SecondaryMembersProps) {
  const { columns } = catalogStrings
  return (
    <MemberTable
      label={catalogStrings.detail.zones}
      list={name}
      page={(page) => secondaryMembers({ accountId, name, created }, page)}
      heads={[
        <th key="groups" className="w152 o1">
          {columns.groups}
        </th>,
        <th key="serial" className="w120 num">
          {columns.serial}
        </th>,
        <th key="state">{columns.state}</th>,
        <th key="changed" className="w104 num">
          {columns.changed}
        </th>,
      ]}
      mark={({ transfers }) => markOf(transfers)}
      cells={memberCells}
    />
  )
}

function markOf(transfers: Transfers | null) {
  if (transfers === null || (transfers.problem === null && transfers.state !== 'expired')) return null
  const isExpired = transfers.state === 'expired'
  return (
    <span className={isExpired ? 'bad' : 'warn'}>
      <Icon name={isExpired ? 'wrong' : 'warning'} />
    </span>
  )
}

function memberCells({ groups, transfers }: WireSecondaryCatalogMember) {
  const named = (
    <td className="o1" title={groups.join(', ')}>
      {groups.length === 0 ? <span className="dim">{catalogStrings.none}</span> : groups.join(', ')}
    </td>
  )
  if (transfers === null)
    return (
      <>
        {named}
        <td className="k3 dim" colSpan={3}>
          {catalogStrings.hidden}
        </td>
      </>
    )
  return (
    <>
      {named}
      <td className="num k2">{transfers.soa_serial ?? catalogStrings.none}</td>
      <td className="k3" title={transfers.problem ?? undefined}>
        <TransferWord {...transfers} />
      </td>
      <td className="num soft">
        {transfers.transferred_on === null ? catalogStrings.none : <Age at={transfers.transferred_on} />}
      </td>
    </>
  )
}

/** A problem is said in its own words: the state behind it is at most old. */
function TransferWord({ state, problem }: Transfers) {
  if (problem === null)
    return <StatusWord tone={TONES[state]}>{transferStrings.incomingStates[state]}</StatusWord>
  return (
    <StatusWord tone={state === 'expired' ? 'wrong' : 'warning'}>
      {state === 'current' ? problem : `${transferStrings.incomingStates[state]}: ${problem}`}
    </StatusWord>
  )
}
