// Firewall rules and page rules of a zone: what each does, and whether it is active.
import { useQuery } from '@tanstack/react-query'
import {
  firewallRulesOf,
  pageRulesOf,
  pauseFirewallRule,
  switchPageRule,
  type WireFirewallRule,
  type WirePageRule,
} from '../../api/legacy-rules.ts'
import type { WireZone } from '../../api/zones.ts'
import { MarkHead } from '../../parts/mark-head.tsx'
import { Problem } from '../../parts/problem.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { legacyStrings } from '../../strings/legacy-rules.ts'

export function FirewallRules({ zone }: { readonly zone: WireZone }) {
  const text = legacyStrings.firewall
  const { data: rules, error, refetch, isPending } = useQuery(firewallRulesOf(zone.id))
  const action = useZoneAction(zone.id)
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (isPending) return <Loading />
  if (rules.length === 0)
    return (
      <Empty
        headline={text.none}
        detail={text.noneDetail}
        command={commandFor(
          zone.id,
          'firewall/rules',
          '[{"action": "block", "filter": {"expression": "ip.src eq 192.0.2.1"}}]',
        )}
      />
    )
  return (
    <>
      <Problems error={action.error} />
      <table className="reg legacy">
        <thead>
          <tr>
            <MarkHead />
            <th className="w264">{text.columns.name}</th>
            <th className="w232">{text.columns.action}</th>
            <th className="o1">{text.columns.when}</th>
            <th className="w88 num o1">{text.columns.priority}</th>
            <th className="w104">{text.columns.state}</th>
            <th className="w88 num">
              <span className="vh">{legacyStrings.groups.action}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <FirewallRow key={rule.id} zone={zone} rule={rule} action={action} />
          ))}
        </tbody>
      </table>
    </>
  )
}

type Action = ReturnType<typeof useZoneAction>

interface FirewallRowProps {
  readonly zone: WireZone
  readonly rule: WireFirewallRule
  readonly action: Action
}

function FirewallRow({ zone, rule, action }: FirewallRowProps) {
  const text = legacyStrings.firewall
  const { id, paused, products, priority, filter } = rule
  const name = rule.description === undefined || rule.description === '' ? text.unnamed : rule.description
  const verb = paused ? text.resume : text.pause
  return (
    <tr className={paused ? 'offrow' : undefined}>
      <td className="m" />
      <td className="k1">
        <b>{name}</b>
      </td>
      <td className="k3">
        {text.actions[rule.action]}
        {products !== undefined && products.length > 0 && (
          <span className="soft"> {text.products(products)}</span>
        )}
      </td>
      <td className="mono o1" title={filter.expression}>
        {filter.expression}
      </td>
      <td className="num o1">{priority}</td>
      <td className="k2">
        <StatusWord tone={paused ? 'off' : 'normal'}>{paused ? text.paused : text.active}</StatusWord>
      </td>
      <td className="k5 num">
        <RowButton
          text={verb}
          label={legacyStrings.switchOf(verb, name)}
          isBusy={action.isPending}
          onPress={() =>
            action.mutate({
              run: () => pauseFirewallRule(zone.id, id, !paused),
              done: paused ? text.resumed(name) : text.pausedDone(name),
            })
          }
        />
      </td>
    </tr>
  )
}

export function PageRules({ zone }: { readonly zone: WireZone }) {
  const text = legacyStrings.pages
  const { data: rules, error, refetch, isPending } = useQuery(pageRulesOf(zone.id))
  const action = useZoneAction(zone.id)
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (isPending) return <Loading />
  if (rules.length === 0) {
    const target = `{"target": "url", "constraint": {"operator": "matches", "value": "${zone.name}/open/*"}}`
    const body = `{"targets": [${target}], "actions": [{"id": "disable_security"}], "status": "active"}`
    return (
      <Empty headline={text.none} detail={text.noneDetail} command={commandFor(zone.id, 'pagerules', body)} />
    )
  }
  return (
    <>
      <Problems error={action.error} />
      <table className="reg legacy">
        <thead>
          <tr>
            <MarkHead />
            <th>{text.columns.target}</th>
            <th className="w320">{text.columns.settings}</th>
            <th className="w88 num o1">{text.columns.priority}</th>
            <th className="w104">{text.columns.state}</th>
            <th className="w88 num">
              <span className="vh">{legacyStrings.groups.action}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <PageRow key={rule.id} zone={zone} rule={rule} action={action} />
          ))}
        </tbody>
      </table>
    </>
  )
}

interface PageRowProps {
  readonly zone: WireZone
  readonly rule: WirePageRule
  readonly action: Action
}

function PageRow({ zone, rule, action }: PageRowProps) {
  const text = legacyStrings.pages
  const isActive = rule.status === 'active'
  const url = rule.targets.map(({ constraint }) => constraint.value).join(', ')
  const verb = isActive ? legacyStrings.turnOff : legacyStrings.turnOn
  return (
    <tr className={isActive ? undefined : 'offrow'}>
      <td className="m" />
      <td className="k1 mono" title={url}>
        <b>{url}</b>
      </td>
      <td className="k3">{rule.actions.map(settingText).join(', ')}</td>
      <td className="num o1">{rule.priority}</td>
      <td className="k2">
        <StatusWord tone={isActive ? 'normal' : 'off'}>{isActive ? text.active : text.disabled}</StatusWord>
      </td>
      <td className="k5 num">
        <RowButton
          text={verb}
          label={legacyStrings.switchOf(verb, url)}
          isBusy={action.isPending}
          onPress={() =>
            action.mutate({
              run: () => switchPageRule(zone.id, rule.id, isActive ? 'disabled' : 'active'),
              done: legacyStrings.switched(url, !isActive),
            })
          }
        />
      </td>
    </tr>
  )
}

function settingText({ id, value }: WirePageRule['actions'][number]): string {
  const name = id.replaceAll('_', ' ')
  return value === undefined ? name : `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
}

function Problems({ error }: { readonly error: Error | null }) {
  return error === null ? null : (
    <div className="pad">
      <Problem error={error} />
    </div>
  )
}

const commandFor = (zoneId: string, path: string, body: string): string =>
  `curl ${location.origin}/client/v4/zones/${zoneId}/${path} -H "Authorization: Bearer $TOKEN" \\
  --json '${body}'`
