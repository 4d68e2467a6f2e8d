// Catalog zones of an account: the one that it publishes, those of other nameservers, and the peers of both.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  ownCatalog,
  secondaryCatalogList,
  type WireCatalog,
  type WireSecondaryCatalog,
} from '../../api/catalogs.ts'
import { currentSession } from '../../api/session.ts'
import { peersOf, type WirePeer } from '../../api/transfers.ts'
import { CatalogLink } from '../../parts/catalog-link.tsx'
import { AccountPage } from '../../parts/account-page.tsx'
import { Fact } from '../../parts/fact.tsx'
import { FormButton } from '../../parts/form-button.tsx'
import { mayWriteAccounts } from '../../parts/may-write.ts'
import { Section } from '../../parts/section.tsx'
import { Failure, Loading, Outdated } from '../../parts/states.tsx'
import { Age } from '../../parts/time.tsx'
import { numberText } from '../../strings.ts'
import { catalogStrings as text } from '../../strings/catalogs.ts'
import { nameOf } from '../transfers/peer-states.tsx'
import { Peers } from '../transfers/peers.tsx'
import { TsigKeys } from '../transfers/tsig-keys.tsx'
import { bareName } from './catalog-name.ts'
import { PeerCounts } from './own-catalog.tsx'
import { OwnCatalogForm } from './own-catalog-form.tsx'
import { CatalogState } from './catalog-state.tsx'
import { SecondaryCatalogForm } from './secondary-catalog-form.tsx'

export function CatalogsScreen() {
  const search = useSearch({ from: '/frame/catalogs' })
  const navigate = useNavigate({ from: '/catalogs' })
  return (
    <AccountPage
      title={text.title}
      intro={text.intro}
      asked={search.account}
      onChoose={(id) => void navigate({ search: { account: id } })}
    >
      {(account) => <AccountCatalogs key={account.id} accountId={account.id} />}
    </AccountPage>
  )
}

interface AccountProps {
  readonly accountId: string
}

function AccountCatalogs({ accountId }: AccountProps) {
  const { data: session } = useQuery(currentSession)
  const own = useQuery(ownCatalog(accountId))
  const others = useQuery(secondaryCatalogList(accountId))
  const peers = useQuery(peersOf(accountId))
  const mayWrite = mayWriteAccounts(session)
  const failed = own.error ?? others.error ?? peers.error
  const retry = (): void => void Promise.all([own.refetch(), others.refetch(), peers.refetch()])
  if (own.data === undefined || others.data === undefined || peers.data === undefined)
    return failed === null ? <Loading /> : <Failure error={failed} onRetry={retry} />
  const shown = { accountId, peers: peers.data, mayWrite }
  return (
    <>
      {failed !== null && <Outdated error={failed} onRetry={retry} />}
      <OwnSection {...shown} catalog={own.data} />
      <SecondarySection {...shown} catalogs={others.data} />
      {mayWrite && <Peers accountId={accountId} peers={peers.data} />}
      {mayWrite && <TsigKeys accountId={accountId} />}
    </>
  )
}

interface SectionProps extends AccountProps {
  readonly peers: readonly WirePeer[]
  readonly mayWrite: boolean
}

function OwnSection({
  accountId,
  catalog,
  peers,
  mayWrite,
}: SectionProps & { readonly catalog: WireCatalog | null }) {
  return (
    <Section title={text.own} note={text.ownNote}>
      <div className="stack">
        {catalog === null ? (
          <p>
            <b>{text.ownNone}</b> <span className="soft">{text.ownNoneDetail}</span>
          </p>
        ) : (
          <dl className="kv">
            <Fact name={text.columns.catalog}>
              <CatalogLink accountId={accountId} name={bareName(catalog.name)} />
            </Fact>
            <Fact name={text.facts.state}>
              <PeerCounts {...catalog.transfers} />
            </Fact>
            <Fact name={text.facts.zones}>{numberText(catalog.members)}</Fact>
            <Fact name={text.facts.serial}>
              <span className="mono">{catalog.soa_serial}</span>
            </Fact>
            <Fact name={text.facts.peers}>{catalog.peers.map((id) => nameOf(peers, id)).join(', ')}</Fact>
          </dl>
        )}
        {mayWrite && catalog === null && (
          <FormButton
            label={text.publish}
            form={(close) => (
              <OwnCatalogForm accountId={accountId} peers={peers} catalog={undefined} onClose={close} />
            )}
          />
        )}
      </div>
    </Section>
  )
}

function SecondarySection({
  accountId,
  catalogs,
  peers,
  mayWrite,
}: SectionProps & { readonly catalogs: readonly WireSecondaryCatalog[] }) {
  return (
    <Section title={text.secondary} note={text.secondaryNote}>
      <div className="stack">
        {catalogs.length === 0 ? (
          <p>
            <b>{text.secondaryNone}</b> <span className="soft">{text.secondaryNoneDetail}</span>
          </p>
        ) : (
          <CatalogTable accountId={accountId} catalogs={catalogs} />
        )}
        {mayWrite && (
          <FormButton
            label={text.follow}
            form={(close) => (
              <SecondaryCatalogForm accountId={accountId} peers={peers} catalog={undefined} onClose={close} />
            )}
          />
        )}
      </div>
    </Section>
  )
}

function CatalogTable({
  accountId,
  catalogs,
}: AccountProps & { readonly catalogs: readonly WireSecondaryCatalog[] }) {
  const { columns } = text
  return (
    <table className="plain">
      <thead>
        <tr>
          <th>{columns.catalog}</th>
          <th className="w232">{columns.state}</th>
          <th className="w104 num">{columns.zones}</th>
          <th className="w120 num opt2">{columns.serial}</th>
          <th className="w88 num opt2">{columns.checked}</th>
        </tr>
      </thead>
      <tbody>
        {catalogs.map((catalog) => (
          <tr key={catalog.name}>
            <td>
              <CatalogLink accountId={accountId} name={bareName(catalog.name)} />
            </td>
            <td>
              <CatalogState catalog={catalog} />
            </td>
            <td className="num">{text.zoneCount(catalog.members.created, catalog.members.listed)}</td>
            <td className="num mono opt2">{catalog.soa_serial ?? text.none}</td>
            <td className="num soft opt2">
              {catalog.checked_on === null ? text.none : <Age at={catalog.checked_on} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
