// A rule in its place, with the menu of what can be done with it, and the question before it is deleted.
import { Menu } from '@base-ui/react/menu'
import type { WireRule } from '../../api/rulesets.ts'
import { ActionWord } from '../../parts/action-word.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Problem } from '../../parts/problem.tsx'
import { ruleStrings as text } from '../../strings/rules.ts'

export const nameOf = ({ description }: WireRule): string =>
  description === undefined || description === '' ? text.unnamed : description

const rateOf = ({
  requests_per_period: requests,
  period,
}: NonNullable<WireRule['ratelimit']>): string | undefined =>
  requests === undefined || period === undefined ? undefined : text.rate.inShort(requests, period)

export interface RuleRowProps {
  readonly rule: WireRule
  /** From 1. */
  readonly place: number
  readonly count: number
  /** Its form was open just now. */
  readonly hasFocus: boolean
  readonly isBusy: boolean
  readonly onEdit: () => void
  readonly onSwitch: () => void
  readonly onMove: (place: number) => void
  readonly onRemove: () => void
}

export function RuleRow(props: RuleRowProps) {
  const { rule, place, count, isBusy, hasFocus } = props
  const items = [
    { label: text.edit, run: props.onEdit, isOffered: true },
    { label: rule.enabled ? text.turnOff : text.turnOn, run: props.onSwitch, isOffered: true },
    { label: text.up, run: () => props.onMove(place - 1), isOffered: place > 1 },
    { label: text.down, run: () => props.onMove(place + 1), isOffered: place < count },
    { label: text.remove, run: props.onRemove, isOffered: true },
  ]
  return (
    <tr className={rule.enabled ? undefined : 'offrow'}>
      <td className="m mono small dim">{place}</td>
      <td className="k1">
        <b>{nameOf(rule)}</b>{' '}
        {rule.ratelimit !== undefined && <span className="dim">{rateOf(rule.ratelimit)}</span>}{' '}
        {!rule.enabled && <span className="dim">{text.disabled}</span>}
      </td>
      <td className="k2">
        <ActionWord action={rule.action} isOff={!rule.enabled} />
      </td>
      <td className="k3 mono soft" title={rule.expression}>
        {rule.expression}
      </td>
      <td className="k5">
        <Menu.Root>
          <Menu.Trigger
            className="btn bare dots"
            aria-label={text.menuOf(nameOf(rule))}
            disabled={isBusy}
            autoFocus={hasFocus}
          >
            <Icon name="more" />
          </Menu.Trigger>
          <Menu.Portal>
            <Menu.Positioner align="end" sideOffset={2} className="positioner">
              <Menu.Popup className="float menu">
                {items
                  .filter(({ isOffered }) => isOffered)
                  .map(({ label, run }) => (
                    <Menu.Item key={label} className="item" onClick={run}>
                      <span>{label}</span>
                    </Menu.Item>
                  ))}
              </Menu.Popup>
            </Menu.Positioner>
          </Menu.Portal>
        </Menu.Root>
      </td>
    </tr>
  )
}

interface RemovalProps {
  readonly rule: WireRule
  /** Rules that remain. */
  readonly remaining: number
  readonly version: string
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onRemove: () => void
  readonly onKeep: () => void
}

export function Removal({ rule, remaining, version, isBusy, error, onRemove, onKeep }: RemovalProps) {
  return (
    <div
      className="editor"
      role="group"
      aria-label={text.preview}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onKeep()
      }}
    >
      <ol className="diff" aria-label={text.preview}>
        {[`${nameOf(rule)}: ${text.actionOf(rule.action)}`, `${rule.expression}`].map((line) => (
          <li key={line} className="d">
            <span>−</span>
            <span>{line}</span>
          </li>
        ))}
      </ol>
      <p>{text.remaining(remaining, version)}</p>
      <Problem error={error} />
      <div className="foot">
        <button type="button" className="btn danger" disabled={isBusy} onClick={onRemove}>
          {text.removeRule}
        </button>
        <button type="button" className="btn" autoFocus onClick={onKeep}>
          {text.keep} <kbd>Esc</kbd>
        </button>
      </div>
    </div>
  )
}
