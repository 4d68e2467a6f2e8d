// One catalog zone, which the account publishes or follows.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { ownCatalog, secondaryCatalog } from '../../api/catalogs.ts'
import { currentSession } from '../../api/session.ts'
import { peersOf } from '../../api/transfers.ts'
import { useAccount } from '../../parts/account.tsx'
import { mayWriteAccounts } from '../../parts/may-write.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Failure, Loading, Outdated } from '../../parts/states.tsx'
import { strings } from '../../strings.ts'
import { catalogStrings as text } from '../../strings/catalogs.ts'
import { bareName } from './catalog-name.ts'
import { OwnCatalog } from './own-catalog.tsx'
import { SecondaryCatalog } from './secondary-catalog.tsx'

export function CatalogScreen() {
  const { catalog: name } = useParams({ from: '/frame/catalogs/$catalog' })
  const search = useSearch({ from: '/frame/catalogs/$catalog' })
  const { account, instead } = useAccount(search.account)
  return (
    <>
      <title>{`${name} · ${text.title} · ${strings.product}`}</title>
      {instead}
      {account !== undefined && <Catalog key={`${account.id} ${name}`} accountId={account.id} name={name} />}
    </>
  )
}

interface CatalogProps {
  readonly accountId: string
  readonly name: string
}

function Catalog({ accountId, name }: CatalogProps) {
  const { data: session } = useQuery(currentSession)
  const own = useQuery(ownCatalog(accountId))
  const isOwn = own.data !== undefined && own.data !== null && bareName(own.data.name) === name
  const other = useQuery({ ...secondaryCatalog(accountId, name), enabled: own.data !== undefined && !isOwn })
  const peers = useQuery(peersOf(accountId))
  const failed = own.error ?? other.error ?? peers.error
  const retry = (): void => void Promise.all([own.refetch(), other.refetch(), peers.refetch()])
  if (own.data === undefined || peers.data === undefined || (!isOwn && other.data === undefined))
    return failed === null ? <Loading /> : <Failure error={failed} onRetry={retry} />
  // After it was renamed, the new name is not read yet.
  if (!isOwn && other.data === null && own.isFetching) return <Loading />
  const shown = { accountId, peers: peers.data, mayWrite: mayWriteAccounts(session) }
  return (
    <>
      {failed !== null && <Outdated error={failed} onRetry={retry} />}
      {isOwn && own.data !== null && <OwnCatalog {...shown} catalog={own.data} />}
      {!isOwn && other.data === null && <UnknownCatalog accountId={accountId} name={name} />}
      {!isOwn && other.data && <SecondaryCatalog {...shown} catalog={other.data} />}
    </>
  )
}

function UnknownCatalog({ accountId, name }: CatalogProps) {
  return (
    <>
      <PageHead title={text.detail.unknownTitle} intro={text.detail.unknown(name)} />
      <p className="pad">
        <Link className="link" to="/catalogs" search={{ account: accountId }}>
          {text.detail.all}
        </Link>
      </p>
    </>
  )
}
