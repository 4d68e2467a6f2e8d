// A catalog zone of another nameserver: how current it is, what it waits for, and the zones that exist here because of it.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useCrumbDetail } from '../../app/crumb-detail.tsx'
import {
  catalogKeys,
  checkSecondaryCatalog,
  confirmVersion,
  deleteSecondaryCatalog,
  type WireSecondaryCatalog,
} from '../../api/catalogs.ts'
import type { WirePeer } from '../../api/transfers.ts'
import { zoneKeys } from '../../api/zones.ts'
import { Fact } from '../../parts/fact.tsx'
import { FormButton } from '../../parts/form-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { Age, Until } from '../../parts/time.tsx'
import { TwoSteps } from '../../parts/two-steps.tsx'
import { useWriteAction } from '../../parts/zone-action.ts'
import { numberText } from '../../strings.ts'
import { catalogStrings } from '../../strings/catalogs.ts'
import { nameOf } from '../transfers/peer-states.tsx'
import { bareName } from './catalog-name.ts'
import { CatalogState } from './catalog-state.tsx'
import { SecondaryCatalogForm } from './secondary-catalog-form.tsx'
import { SecondaryMembers } from './secondary-members.tsx'

const text = catalogStrings.detail
/** Of the zones that a held version would delete. */
const SHOWN_NAMES = 5

interface CatalogProps {
  readonly accountId: string
  readonly catalog: WireSecondaryCatalog
}

interface SecondaryCatalogProps extends CatalogProps {
  readonly peers: readonly WirePeer[]
  readonly mayWrite: boolean
}

export function SecondaryCatalog(props: SecondaryCatalogProps) {
  const { accountId, catalog, mayWrite } = props
  const name = bareName(catalog.name)
  const isEnding = catalog.state === 'ending'
  useCrumbDetail(name)
  return (
    <>
      <PageHead name={name} intro={text.secondaryIntro} />
      {catalog.held === null && catalog.problem !== null && <ProblemCallout problem={catalog.problem} />}
      {catalog.held !== null && <Held {...props} held={catalog.held} />}
      <Section title={text.state}>
        <div className="stack">
          <Facts catalog={catalog} />
          {mayWrite && !isEnding && <CheckNow accountId={accountId} name={name} />}
        </div>
      </Section>
      {catalog.conflicts.length > 0 && <Conflicts conflicts={catalog.conflicts} />}
      <Settings {...props} />
      {mayWrite && !isEnding && <StopFollowing accountId={accountId} catalog={catalog} />}
      <Section title={text.zones} note={text.secondaryZonesNote}>
        {catalog.members.created === 0 && <p className="soft">{text.secondaryNoZones}</p>}
      </Section>
      {catalog.members.created > 0 && (
        <SecondaryMembers accountId={accountId} name={name} created={catalog.members.created} />
      )}
    </>
  )
}

function ProblemCallout({ problem }: { readonly problem: string }) {
  return (
    <div className="callout w">
      <span className="warn">
        <Icon name="warning" />
      </span>
      <span>
        <b>{sentence(problem)}</b> {text.problem}
      </span>
    </div>
  )
}

/** The API's problems are phrases. */
const sentence = (problem: string): string =>
  `${problem.charAt(0).toUpperCase()}${problem.slice(1)}${problem.endsWith('.') ? '' : '.'}`

interface HeldProps extends SecondaryCatalogProps {
  readonly held: NonNullable<WireSecondaryCatalog['held']>
}

function Held({ accountId, catalog, held, mayWrite }: HeldProps) {
  const action = useWriteAction([catalogKeys(accountId), zoneKeys.all])
  const shown = held.zones.slice(0, SHOWN_NAMES)
  return (
    <div className="callout w">
      <span className="warn">
        <Icon name="warning" />
      </span>
      <span>
        <b>{text.heldTitle(held.serial)}</b> {text.held(held.removed, held.reset, held.members)}{' '}
        <span className="soft">{text.heldZones(shown, held.removed + held.reset - shown.length)}</span>
        <Problem error={action.error} />
      </span>
      {mayWrite && (
        <button
          type="button"
          className="btn"
          disabled={action.isPending}
          onClick={() =>
            action.mutate({
              run: () => confirmVersion(accountId, bareName(catalog.name), held.serial),
              done: text.confirmed(held.serial),
            })
          }
        >
          {text.confirm}
        </button>
      )}
    </div>
  )
}

function Facts({ catalog }: Pick<CatalogProps, 'catalog'>) {
  const { facts, none } = catalogStrings
  const { members, expires_on: expires } = catalog
  return (
    <dl className="kv">
      <Fact name={facts.state}>
        <CatalogState catalog={catalog} />
      </Fact>
      <Fact name={facts.zones}>{catalogStrings.zoneCount(members.created, members.listed)}</Fact>
      {members.pending > 0 && <Fact name={facts.pending}>{numberText(members.pending)}</Fact>}
      <Fact name={facts.serialHere}>
        <span className="mono">{catalog.soa_serial ?? none}</span>
      </Fact>
      <Fact name={facts.primarySerial}>
        <span className="mono">{catalog.primary_serial ?? none}</span>
      </Fact>
      <Fact name={facts.checked}>{catalog.checked_on === null ? none : <Age at={catalog.checked_on} />}</Fact>
      <Fact name={facts.transferred}>
        {catalog.transferred_on === null ? none : <Age at={catalog.transferred_on} />}
      </Fact>
      {expires !== null && (
        <Fact name={facts.expires}>
          <Until at={expires} />
        </Fact>
      )}
    </dl>
  )
}

/** Milliseconds after which the state is read again: most primaries have answered by the first, transfers take longer. */
const READ_AGAIN_MILLIS = [1_000, 3_000, 8_000] as const

function CheckNow({ accountId, name }: { readonly accountId: string; readonly name: string }) {
  const queries = useQueryClient()
  const action = useWriteAction([catalogKeys(accountId), zoneKeys.all])
  const { submittedAt, isSuccess } = action
  useEffect(() => {
    if (!isSuccess) return
    const read = (): void => {
      for (const queryKey of [catalogKeys(accountId), zoneKeys.all])
        void queries.invalidateQueries({ queryKey })
    }
    const timers = READ_AGAIN_MILLIS.map((millis) => setTimeout(read, millis))
    return () => {
      for (const timer of timers) clearTimeout(timer)
    }
  }, [queries, accountId, submittedAt, isSuccess])
  return (
    <div className="row">
      <button
        type="button"
        className="btn"
        disabled={action.isPending}
        onClick={() =>
          action.mutate({ run: () => checkSecondaryCatalog(accountId, name), done: text.checked })
        }
      >
        {text.check}
      </button>
      <Problem error={action.error} />
    </div>
  )
}

function Conflicts({ conflicts }: Pick<WireSecondaryCatalog, 'conflicts'>) {
  return (
    <Section title={text.conflicts} note={text.conflictsNote} mark="warning">
      <table className="plain stacked">
        <thead>
          <tr>
            <th className="w264">{catalogStrings.columns.zone}</th>
            <th>{catalogStrings.columns.problem}</th>
          </tr>
        </thead>
        <tbody>
          {conflicts.map(({ zone, problem }) => (
            <tr key={`${zone} ${problem}`}>
              <td className="mono">{zone}</td>
              <td title={problem}>{problem}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function Settings({ accountId, catalog, peers, mayWrite }: SecondaryCatalogProps) {
  const namesOf = (ids: readonly string[]): string => ids.map((id) => nameOf(peers, id)).join(', ')
  return (
    <Section title={text.settings}>
      <div className="stack">
        <dl className="kv">
          <Fact name={catalogStrings.facts.primaries}>{namesOf(catalog.peers)}</Fact>
          {catalog.groups.map((group) => (
            <Fact key={group.name} name={text.groupFact(group.name)}>
              {namesOf(group.peers)}
            </Fact>
          ))}
          {catalog.groups.length === 0 && (
            <Fact name={catalogStrings.columns.groups}>
              <span className="soft">{text.noGroups}</span>
            </Fact>
          )}
        </dl>
        {mayWrite && catalog.state !== 'ending' && (
          <FormButton
            label={catalogStrings.form.change}
            form={(close) => (
              <SecondaryCatalogForm accountId={accountId} peers={peers} catalog={catalog} onClose={close} />
            )}
          />
        )}
      </div>
    </Section>
  )
}

function StopFollowing({ accountId, catalog }: CatalogProps) {
  const navigate = useNavigate({ from: '/catalogs/$catalog' })
  const [members, setMembers] = useState<'keep' | 'delete'>('keep')
  const action = useWriteAction([catalogKeys(accountId), zoneKeys.all])
  const name = bareName(catalog.name)
  const count = catalog.members.created
  const stop = (): void =>
    action.mutate({
      run: async () => {
        await deleteSecondaryCatalog(accountId, name, members)
        await navigate({ to: '/catalogs', search: { account: accountId } })
      },
      done: members === 'keep' ? text.stopped(name) : text.stopping(name),
    })
  return (
    <TwoSteps
      title={text.stop}
      detail={text.stopDetail}
      open={text.stopButton}
      confirm={members === 'keep' ? text.stopKeep : text.stopDelete}
      isBusy={action.isPending}
      error={action.error}
      onConfirm={stop}
    >
      <fieldset className="choice">
        <legend className="small soft">{text.stopChoice}</legend>
        {(['keep', 'delete'] as const).map((each) => (
          <label key={each} className="opt">
            <input
              type="radio"
              className="ck"
              name="members"
              autoFocus={members === each}
              checked={members === each}
              onChange={() => setMembers(each)}
            />
            <span>{each === 'keep' ? text.keep(count) : text.remove(count)}</span>
          </label>
        ))}
      </fieldset>
    </TwoSteps>
  )
}
