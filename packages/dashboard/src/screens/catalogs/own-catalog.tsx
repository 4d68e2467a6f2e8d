// The catalog zone that the account publishes: its peers, and the zones in it with who has them.
import { useNavigate } from '@tanstack/react-router'
import { useCrumbDetail } from '../../app/crumb-detail.tsx'
import {
  catalogKeys,
  deleteOwnCatalog,
  ownMembers,
  type WireCatalog,
  type WireCatalogMember,
} from '../../api/catalogs.ts'
import type { WirePeer } from '../../api/transfers.ts'
import { Fact } from '../../parts/fact.tsx'
import { FormButton } from '../../parts/form-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Section } from '../../parts/section.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import { Age, Exact } from '../../parts/time.tsx'
import { TwoSteps } from '../../parts/two-steps.tsx'
import { useWriteAction } from '../../parts/zone-action.ts'
import { strings } from '../../strings.ts'
import { catalogStrings } from '../../strings/catalogs.ts'
import { nameOf } from '../transfers/peer-states.tsx'
import { bareName } from './catalog-name.ts'
import { MemberTable } from './member-table.tsx'
import { OwnCatalogForm } from './own-catalog-form.tsx'

const text = catalogStrings.detail

interface OwnCatalogProps {
  readonly accountId: string
  readonly catalog: WireCatalog
  readonly peers: readonly WirePeer[]
  readonly mayWrite: boolean
}

export function OwnCatalog({ accountId, catalog, peers, mayWrite }: OwnCatalogProps) {
  const navigate = useNavigate({ from: '/catalogs/$catalog' })
  const name = bareName(catalog.name)
  const { facts } = catalogStrings
  useCrumbDetail(name)
  const showRenamed = (changed: string): Promise<void> =>
    navigate({ params: { catalog: changed }, search: (last) => last, replace: true })
  return (
    <>
      <PageHead name={name} intro={text.ownIntro(catalog.members)} />
      <Section title={text.settings}>
        <div className="stack">
          <dl className="kv">
            <Fact name={facts.peers}>{catalog.peers.map((id) => nameOf(peers, id)).join(', ')}</Fact>
            <Fact name={facts.state}>
              <PeerCounts {...catalog.transfers} />
            </Fact>
            <Fact name={facts.serial}>
              <span className="mono">{catalog.soa_serial}</span>
            </Fact>
            <Fact name={facts.created}>
              <Exact at={catalog.created_on} />
            </Fact>
            <Fact name={facts.changed}>
              <Exact at={catalog.modified_on} />
            </Fact>
          </dl>
          {mayWrite && (
            <FormButton
              label={catalogStrings.form.change}
              form={(close) => (
                <OwnCatalogForm
                  accountId={accountId}
                  peers={peers}
                  catalog={catalog}
                  onClose={close}
                  onSaved={showRenamed}
                />
              )}
            />
          )}
        </div>
      </Section>
      {mayWrite && <StopPublishing accountId={accountId} name={name} />}
      <Section title={text.zones} note={text.ownZonesNote}>
        {catalog.members === 0 && <p className="soft">{text.ownNoZones}</p>}
      </Section>
      <Members accountId={accountId} name={name} />
    </>
  )
}

function StopPublishing({ accountId, name }: { readonly accountId: string; readonly name: string }) {
  const navigate = useNavigate({ from: '/catalogs/$catalog' })
  const action = useWriteAction([catalogKeys(accountId)])
  return (
    <TwoSteps
      title={text.stopOwn}
      detail={text.stopOwnDetail}
      open={text.stopOwnButton}
      confirm={text.stopOwn}
      isBusy={action.isPending}
      error={action.error}
      onConfirm={() =>
        action.mutate({
          // The list is shown before the catalog zone is missed here.
          run: async () => {
            await deleteOwnCatalog(accountId)
            await navigate({ to: '/catalogs', search: { account: accountId } })
          },
          done: text.stopOwnDone(name),
        })
      }
    />
  )
}

function Members({ accountId, name }: { readonly accountId: string; readonly name: string }) {
  const { columns } = catalogStrings
  return (
    <MemberTable
      label={text.zones}
      list={name}
      page={(page) => ownMembers(accountId, page)}
      heads={[
        <th key="serial" className="w136 num">
          {columns.serial}
        </th>,
        <th key="secondaries" className="w200">
          {columns.secondaries}
        </th>,
        <th key="transferred" className="w120 num">
          {columns.transferred}
        </th>,
      ]}
      mark={({ transfers }) => (transfers?.behind ?? 0) > 0 && <Warning />} // not known
      cells={memberCells}
    />
  )
}

const Warning = () => (
  <span className="warn">
    <Icon name="warning" />
  </span>
)

function memberCells({ transfers }: WireCatalogMember) {
  if (transfers === null)
    return (
      <td className="k3 dim" colSpan={3}>
        {catalogStrings.hidden}
      </td>
    )
  return (
    <>
      <td className="num k2">{transfers.soa_serial}</td>
      <td className="k3">
        <PeerCounts {...transfers} />
      </td>
      <td className="num soft">
        {transfers.transferred_on === null ? catalogStrings.none : <Age at={transfers.transferred_on} />}
      </td>
    </>
  )
}

type Counts = Pick<NonNullable<WireCatalogMember['transfers']>, 'current' | 'behind' | 'unknown'>

export function PeerCounts({ current, behind, unknown }: Counts) {
  const words = strings.zones.secondaries
  const all = current + behind + unknown
  if (all === 0) return <span className="dim">{catalogStrings.none}</span>
  if (behind > 0) return <StatusWord tone="warning">{words.behind(all - behind, all)}</StatusWord>
  if (unknown === all) return <StatusWord tone="off">{words.unknown(all)}</StatusWord>
  return <StatusWord tone="normal">{words.current(all)}</StatusWord>
}
