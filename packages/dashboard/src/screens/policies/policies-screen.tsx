// The policies of a zone: what each does, where, and a start from the inventory.
import { useQuery } from '@tanstack/react-query'
import { Link, useLoaderData } from '@tanstack/react-router'
import { policiesOf, type WirePolicy } from '../../api/policies.ts'
import { MarkHead } from '../../parts/mark-head.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { StatusWord, type Tone } from '../../parts/status-word.tsx'
import { strings } from '../../strings.ts'
import { firstPolicyCommand, policyStrings as text } from '../../strings/policies.ts'
import { isOn } from './shown-policy.ts'

export function PoliciesScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const policies = useQuery(policiesOf(zone.id))
  const isEmpty = policies.data?.length === 0
  return (
    <>
      <title>{`${text.title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={text.title} intro={text.intro}>
        <Link className="btn" to="/zones/$zone/policies/$policy" params={{ zone: zone.name, policy: 'new' }}>
          {text.add}
        </Link>
        <Link
          className="btn primary"
          to="/zones/$zone/policies/$policy"
          params={{ zone: zone.name, policy: 'suggested' }}
        >
          {text.suggest}
        </Link>
      </PageHead>
      {policies.error !== null && <Failure error={policies.error} onRetry={() => void policies.refetch()} />}
      {policies.isPending && <Loading />}
      {isEmpty && (
        <Empty
          headline={text.none}
          detail={text.noneDetail}
          command={firstPolicyCommand(location.origin, zone.id)}
        />
      )}
      {policies.data !== undefined && !isEmpty && (
        <table className="reg inventory">
          <thead>
            <tr>
              <MarkHead />
              <th className="w232">{text.columns.name}</th>
              <th className="w152">{text.columns.state}</th>
              <th>{text.columns.pages}</th>
              <th>{text.columns.value}</th>
            </tr>
          </thead>
          <tbody>
            {policies.data.map((policy) => (
              <PolicyRow key={policy.id} zone={zone.name} policy={policy} />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

export const nameOf = ({ description }: WirePolicy): string =>
  description === '' ? text.unnamed : description

const TONES: Readonly<Record<WirePolicy['action'], Tone>> = {
  log: 'expected',
  allow: 'normal',
  add_reporting_directives: 'normal',
}

export function PolicyState({ policy }: { readonly policy: WirePolicy }) {
  if (!isOn(policy)) return <StatusWord tone="off">{text.states.off}</StatusWord>
  return <StatusWord tone={TONES[policy.action]}>{text.states[policy.action]}</StatusWord>
}

function PolicyRow({ zone, policy }: { readonly zone: string; readonly policy: WirePolicy }) {
  return (
    <tr>
      <td className="m" />
      <td className="k1">
        <Link className="go" to="/zones/$zone/policies/$policy" params={{ zone, policy: policy.id }}>
          {nameOf(policy)}
        </Link>
      </td>
      <td className="k2">
        <PolicyState policy={policy} />
      </td>
      <td className="k3 mono soft" title={policy.expression}>
        {policy.expression}
      </td>
      <td className="k4 mono soft" title={policy.value}>
        {policy.value}
      </td>
    </tr>
  )
}
