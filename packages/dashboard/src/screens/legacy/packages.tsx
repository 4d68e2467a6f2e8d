// Packages of legacy managed rules: how strict they are, which groups are on, and the mode of each rule.
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { ApiError } from '../../api/call.ts'
import {
  changePackage,
  legacyGroups,
  legacyPackages,
  switchGroup,
  type PackageChange,
  type WireWafGroup,
  type WireWafPackage,
} from '../../api/legacy-rules.ts'
import type { WireZone } from '../../api/zones.ts'
import { Field } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Problem } from '../../parts/problem.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { Section } from '../../parts/section.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { numberText } from '../../strings.ts'
import { legacyStrings as text } from '../../strings/legacy-rules.ts'
import { GroupRules } from './group-rules.tsx'

const GONE = 410

export function Packages({ zone }: { readonly zone: WireZone }) {
  const { data: packages, error, refetch, isPending } = useQuery(legacyPackages(zone.id))
  if (isPending) return <Loading />
  if (error instanceof ApiError && error.status === GONE) return <Migrated zone={zone} />
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (packages.length === 0)
    return (
      <Empty headline={text.noPackages} detail={text.noPackagesDetail}>
        <Link className="btn" to="/zones/$zone/rules" params={{ zone: zone.name }}>
          {text.toRules}
        </Link>
      </Empty>
    )
  return packages.map((one) => <Package key={one.id} zone={zone} package={one} />)
}

function Migrated({ zone }: { readonly zone: WireZone }) {
  return (
    <div className="callout n">
      <span className="note">
        <Icon name="info" />
      </span>
      <span>{text.gone}</span>
      <Link className="btn" to="/zones/$zone/managed-rules" params={{ zone: zone.name }}>
        {text.toManaged}
      </Link>
    </div>
  )
}

interface PackageProps {
  readonly zone: WireZone
  readonly package: WireWafPackage
}

function Package({ zone, package: one }: PackageProps) {
  const { id, name, description, detection_mode: detection } = one
  const search = useSearch({ from: '/frame/zones/$zone/legacy-rules' })
  const { data: groups, error, refetch, isPending } = useQuery(legacyGroups(zone.id, id))
  const action = useZoneAction(zone.id)
  const opened = groups?.find((group) => group.id === search.group)
  return (
    <Section title={name} note={text.detection[detection]}>
      <div className="stack">
        {description !== null && description !== name && <p className="soft">{description}</p>}
        {one.sensitivity !== undefined && <Strictness zone={zone} package={one} action={action} />}
        {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        {isPending && <Loading />}
        {groups?.length === 0 && (
          <p className="soft">
            {text.noGroups}{' '}
            <Link className="link" to="/zones/$zone/rules" params={{ zone: zone.name }}>
              {text.toRules}
            </Link>
          </p>
        )}
        {groups !== undefined && groups.length > 0 && (
          <Groups zone={zone} groups={groups} opened={opened} action={action} />
        )}
        <Problem error={action.error} />
        {opened !== undefined && <GroupRules key={opened.id} zone={zone} group={opened} />}
      </div>
    </Section>
  )
}

type Action = ReturnType<typeof useZoneAction>

type Sensitivity = keyof typeof text.sensitivities

function Strictness({ zone, package: one, action }: PackageProps & { readonly action: Action }) {
  const change = (body: PackageChange): void =>
    action.mutate({ run: () => changePackage(zone.id, one.id, body), done: text.saved(one.name) })
  return (
    <div className="g2">
      <Field label={text.sensitivity}>
        {(ids) => (
          <select
            {...ids}
            className="sel"
            disabled={action.isPending}
            value={one.sensitivity}
            onChange={({ target }) => change({ sensitivity: target.value as Sensitivity })} // of the options
          >
            {Object.entries(text.sensitivities).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={text.action}>
        {(ids) => (
          <select
            {...ids}
            className="sel"
            disabled={action.isPending}
            value={one.action_mode}
            onChange={({ target }) => change({ action_mode: target.value as keyof typeof text.actions })} // of the options
          >
            {Object.entries(text.actions).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  )
}

interface GroupsProps {
  readonly zone: WireZone
  readonly groups: readonly WireWafGroup[]
  readonly opened: WireWafGroup | undefined
  readonly action: Action
}

function Groups({ zone, groups, opened, action }: GroupsProps) {
  return (
    <table className="plain groups">
      <thead>
        <tr>
          <th>{text.groups.name}</th>
          <th className="w72 num">{text.groups.rules}</th>
          <th className="w88 num opt2">{text.groups.changed}</th>
          <th className="w88">{text.groups.mode}</th>
          <th className="w104 num">
            <span className="vh">{text.groups.action}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => {
          const isOpen = group.id === opened?.id
          const isOn = group.mode === 'on'
          const verb = isOn ? text.turnOff : text.turnOn
          return (
            <tr key={group.id}>
              <td title={group.description ?? undefined}>
                <Link
                  className="go"
                  to="/zones/$zone/legacy-rules"
                  params={{ zone: zone.name }}
                  search={isOpen ? {} : { group: group.id }}
                  aria-expanded={isOpen}
                  resetScroll={false}
                >
                  {group.name}
                </Link>
              </td>
              <td className="num mono">{numberText(group.rules_count)}</td>
              <td className="num mono opt2">
                {group.modified_rules_count > 0 && numberText(group.modified_rules_count)}
              </td>
              <td>
                <StatusWord tone={isOn ? 'normal' : 'off'}>{isOn ? text.on : text.off}</StatusWord>
              </td>
              <td className="num">
                <RowButton
                  text={verb}
                  label={text.switchOf(verb, group.name)}
                  isBusy={action.isPending}
                  onPress={() =>
                    action.mutate({
                      run: () => switchGroup(zone.id, group.package_id, group.id, isOn ? 'off' : 'on'),
                      done: text.switched(group.name, !isOn),
                    })
                  }
                />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
