// The rules of a group of legacy managed rules, each with its mode.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { changeLegacyRule, legacyRules, type WireWafGroup, type WireWafRule } from '../../api/legacy-rules.ts'
import type { WireZone } from '../../api/zones.ts'
import { useDelayed } from '../../parts/delayed.ts'
import { Icon } from '../../parts/icon.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Loading } from '../../parts/states.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { legacyStrings } from '../../strings/legacy-rules.ts'

const text = legacyStrings.rules
const TYPING_MILLIS = 200

interface GroupRulesProps {
  readonly zone: WireZone
  readonly group: WireWafGroup
}

export function GroupRules({ zone, group }: GroupRulesProps) {
  const [typed, setTyped] = useState('')
  const words = useDelayed(typed.trim(), TYPING_MILLIS)
  const { data, error } = useQuery(legacyRules(zone.id, group.package_id, group.id, words))
  const action = useZoneAction(zone.id)
  const rules = data?.result
  return (
    <div className="stack group-rules" role="group" aria-label={text.title(group.name)}>
      <div className="row">
        <h3>{text.title(group.name)}</h3>
        <Link
          className="link"
          to="/zones/$zone/legacy-rules"
          params={{ zone: zone.name }}
          search={{}}
          resetScroll={false}
        >
          {text.back}
        </Link>
      </div>
      <label className="query">
        <Icon name="search" />
        <span className="vh">{text.filter}</span>
        <input
          type="search"
          placeholder={text.filter}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        {rules !== undefined && <span className="hits">{text.count(rules.length)}</span>}
      </label>
      <Problem error={error} />
      <Problem error={action.error} />
      {rules === undefined && error === null && <Loading />}
      {rules?.length === 0 && <p className="soft">{text.none}</p>}
      {rules !== undefined && rules.length > 0 && (
        <table className="plain stacked">
          <thead>
            <tr>
              <th className="w104">{text.id}</th>
              <th>{text.description}</th>
              <th className="w176">{text.mode}</th>
            </tr>
          </thead>
          <tbody>
            {rules.map((rule) => (
              <RuleLine key={rule.id} zone={zone} rule={rule} action={action} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

interface RuleLineProps {
  readonly zone: WireZone
  readonly rule: WireWafRule
  readonly action: ReturnType<typeof useZoneAction>
}

function RuleLine({ zone, rule, action }: RuleLineProps) {
  return (
    <tr>
      <td className="mono">{rule.id}</td>
      <td title={rule.description}>{rule.description}</td>
      <td>
        <select
          className="sel"
          aria-label={text.modeOf(rule.id)}
          disabled={action.isPending}
          value={rule.mode}
          onChange={({ target }) => {
            // Read now: the field shows the stored mode again until the write is done.
            const mode = target.value as WireWafRule['mode'] // of the options
            action.mutate({ run: () => changeLegacyRule(zone.id, rule, mode), done: text.changed(rule.id) })
          }}
        >
          {rule.allowed_modes.map((mode) => (
            <option key={mode} value={mode}>
              {mode === 'default' ? text.byDefault(rule.default_mode) : text.modeName(mode)}
            </option>
          ))}
        </select>
      </td>
    </tr>
  )
}
