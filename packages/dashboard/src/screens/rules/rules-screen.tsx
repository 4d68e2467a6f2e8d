// The rules of a zone by phase, in the order of evaluation: add, edit, move, switch on and off, delete.
import { useQuery } from '@tanstack/react-query'
import { useLoaderData } from '@tanstack/react-router'
import { useRef, useState, type ReactNode, type RefObject } from 'react'
import {
  addRule,
  changeRule,
  moveRule,
  removeRule,
  rulesOf,
  type RuleDraft,
  type WireRule,
  type WireRuleset,
} from '../../api/rulesets.ts'
import type { WireZone } from '../../api/zones.ts'
import { useShortcuts } from '../../app/shortcuts.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { strings } from '../../strings.ts'
import { ruleStrings as text } from '../../strings/rules.ts'
import { FormOfRule } from './form-of-rule.tsx'
import { firstRuleCommand } from './first-rule-command.ts'
import { newRuleOf, PHASES, type PhaseName } from './phase-names.ts'
import { Phases } from './phases.tsx'
import { usePrefilledRule } from './prefilled-rule.ts'
import { nameOf, Removal, RuleRow } from './rule-row.tsx'

export const CustomRulesScreen = () => <RulesScreen name="custom" />
export const RedirectsScreen = () => <RulesScreen name="redirects" />
export const RateLimitsScreen = () => <RulesScreen name="rates" />
export const ManagedExceptionsScreen = () => <RulesScreen name="managed" />

/** What is open in place of a row. */
type Opened = { readonly kind: 'new' } | { readonly kind: 'edit' | 'remove'; readonly id: string }

function RulesScreen({ name }: { readonly name: PhaseName }) {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const stored = useQuery(rulesOf(zone.id, PHASES[name]))
  const prefilled = usePrefilledRule(zone.id)
  const [chosen, setOpened] = useState<Opened>()
  const isEmptyStart = prefilled.isGone && name !== 'managed' // an exception without its event skips nothing
  const opened: Opened | undefined = prefilled.draft === undefined && !isEmptyStart ? chosen : { kind: 'new' }
  const addButton = useRef<HTMLButtonElement>(null)
  const action = useZoneAction(zone.id)
  const add = (): void => {
    action.reset()
    setOpened({ kind: 'new' })
  }
  // The key would discard what is being edited.
  useShortcuts(name === 'managed' || opened !== undefined ? {} : { n: add })
  const title = text.titles[name]
  const version = stored.data?.version
  return (
    <>
      <title>{`${title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={title} intro={version === undefined ? text.noVersion : text.version(version)}>
        {name !== 'managed' && (
          <button ref={addButton} type="button" className="btn" onClick={add}>
            {text.addTo[name]} <kbd>n</kbd>
          </button>
        )}
      </PageHead>
      <Phases zone={zone} />
      {stored.error !== null && <Failure error={stored.error} onRetry={() => void stored.refetch()} />}
      {(stored.isPending || prefilled.isPending) && <Loading />}
      {prefilled.error !== null && (
        <Failure error={prefilled.error} onRetry={() => void prefilled.refetch()} />
      )}
      {prefilled.isGone && <p className="pad soft">{isEmptyStart ? text.startsEmpty : text.eventGone}</p>}
      {stored.data !== undefined && !prefilled.isPending && (
        <Rules
          zone={zone}
          name={name}
          ruleset={stored.data}
          action={action}
          opened={opened}
          start={prefilled.draft ?? newRuleOf(name)}
          onOpen={(next) => {
            prefilled.clear()
            setOpened(next)
          }}
          addButton={addButton}
        />
      )}
    </>
  )
}

interface RulesProps {
  readonly zone: WireZone
  readonly name: PhaseName
  readonly ruleset: WireRuleset | null
  readonly action: ReturnType<typeof useZoneAction>
  readonly opened: Opened | undefined
  /** What a new rule starts with. */
  readonly start: RuleDraft
  readonly onOpen: (opened: Opened | undefined) => void
  readonly addButton: RefObject<HTMLButtonElement | null>
}

function Rules({ zone, name, ruleset, action, opened, start, onOpen, addButton }: RulesProps) {
  const [left, setLeft] = useState<string>()
  const rules = ruleset === null ? [] : ruleset.rules
  const isNew = opened?.kind === 'new'
  const open = (next: Opened): void => {
    action.reset()
    onOpen(next)
  }
  /** The focus goes to what opened it. */
  const close = (): void => {
    action.reset()
    if (opened?.kind === 'new') addButton.current?.focus()
    else setLeft(opened?.id)
    onOpen(undefined)
  }
  const write = (run: () => Promise<void>, done: string): void =>
    action.mutate({ run, done }, { onSuccess: close })
  const add = (draft: RuleDraft): void =>
    write(() => addRule(zone.id, PHASES[name], ruleset, draft), text.added(draft.description || text.unnamed))
  const isFirst = start.position?.index === 1
  const form = isNew && (
    <EditRow place={start.position === undefined ? rules.length + 1 : start.position.index}>
      <FormOfRule
        phase={name}
        start={start}
        isNew
        zone={zone}
        isBusy={action.isPending}
        error={action.error}
        onSave={add}
        onCancel={close}
      />
    </EditRow>
  )
  if (rules.length === 0 && !isNew)
    return <NoRules zone={zone} name={name} onAdd={() => open({ kind: 'new' })} />
  return (
    <>
      {opened === undefined && action.error !== null && (
        <div className="pad">
          <Problem error={action.error} />
        </div>
      )}
      <table className="reg rules">
        <Head />
        <tbody>
          {isFirst && form}
          {ruleset !== null &&
            rules.map((rule, index) => (
              <OneRule
                key={rule.id}
                zone={zone}
                ruleset={ruleset}
                rule={rule}
                place={index + 1}
                phase={name}
                opened={opened}
                hasFocus={left === rule.id}
                error={action.error}
                isBusy={action.isPending}
                onOpen={open}
                onClose={close}
                onWrite={write}
              />
            ))}
          {!isFirst && form}
        </tbody>
      </table>
    </>
  )
}

const Head = () => (
  <thead>
    <tr>
      <th className="m">{text.columns.place}</th>
      <th className="w320">{text.columns.name}</th>
      <th className="w176">{text.columns.action}</th>
      <th>{text.columns.when}</th>
      <th className="w56">
        <span className="vh">{text.columns.menu}</span>
      </th>
    </tr>
  </thead>
)

const EditRow = ({ place, children }: { readonly place: number; readonly children: ReactNode }) => (
  <tr className="edit">
    <td className="m mono small">{place}</td>
    <td className="span" colSpan={4}>
      {children}
    </td>
  </tr>
)

interface OneRuleProps {
  readonly zone: WireZone
  readonly ruleset: WireRuleset
  readonly rule: WireRule
  readonly place: number
  readonly phase: PhaseName
  readonly opened: Opened | undefined
  readonly hasFocus: boolean
  readonly error: Error | null
  readonly isBusy: boolean
  readonly onOpen: (opened: Opened) => void
  readonly onClose: () => void
  readonly onWrite: (run: () => Promise<void>, done: string) => void
}

function OneRule(props: OneRuleProps) {
  const { zone, ruleset, rule, place, opened, error, isBusy, onOpen, onClose, onWrite } = props
  const name = nameOf(rule)
  const count = ruleset.rules.length
  const isOpened = opened !== undefined && opened.kind !== 'new' && opened.id === rule.id
  if (isOpened && opened.kind === 'edit')
    return (
      <EditRow place={place}>
        <FormOfRule
          phase={props.phase}
          start={draftOf(rule)}
          isNew={false}
          zone={zone}
          isBusy={isBusy}
          error={error}
          onSave={(draft) => onWrite(() => changeRule(zone.id, ruleset, rule, draft), text.saved(name))}
          onCancel={onClose}
        />
      </EditRow>
    )
  if (isOpened)
    return (
      <EditRow place={place}>
        <Removal
          rule={rule}
          remaining={count - 1}
          version={ruleset.version}
          isBusy={isBusy}
          error={error}
          onRemove={() => onWrite(() => removeRule(zone.id, ruleset, rule), text.removed(name))}
          onKeep={onClose}
        />
      </EditRow>
    )
  const { enabled } = rule
  return (
    <RuleRow
      rule={rule}
      place={place}
      count={count}
      hasFocus={props.hasFocus}
      isBusy={isBusy}
      onEdit={() => onOpen({ kind: 'edit', id: rule.id })}
      onRemove={() => onOpen({ kind: 'remove', id: rule.id })}
      onSwitch={() =>
        onWrite(
          () => changeRule(zone.id, ruleset, rule, { enabled: !enabled }),
          enabled ? text.off(name) : text.on(name),
        )
      }
      onMove={(index) => onWrite(() => moveRule(zone.id, ruleset, rule, index), text.moved(name, index))}
    />
  )
}

const draftOf = ({ description, action, expression, action_parameters, ratelimit }: WireRule): RuleDraft => ({
  description: description === undefined ? '' : description,
  action,
  expression: expression === undefined ? '' : expression,
  // The forms of other actions have no parameters, and leave them as they are.
  ...(action === 'redirect' && { actionParameters: action_parameters }),
  ...(ratelimit !== undefined && { ratelimit }),
})

interface NoRulesProps {
  readonly zone: WireZone
  readonly name: PhaseName
  readonly onAdd: () => void
}

function NoRules({ zone, name, onAdd }: NoRulesProps) {
  return (
    <Empty
      headline={text.empty[name]}
      detail={name === 'managed' ? text.emptyManaged : text.emptyOthers}
      command={firstRuleCommand(location.origin, zone.id, PHASES[name])}
    >
      {name !== 'managed' && (
        <button type="button" className="btn primary" onClick={onAdd}>
          {text.addFirst[name]}
        </button>
      )}
    </Empty>
  )
}
