// The irreversible step: there is no undo, so the zone's name is typed, and the server asks for a recent sign-in.
import { useState, type ReactNode } from 'react'
import type { WireZone } from '../../api/zones.ts'
import { TextField } from '../../parts/text-field.tsx'
import { useLeftField } from '../../parts/left-field.ts'
import { Icon } from '../../parts/icon.tsx'
import { migrationStrings as text } from '../../strings/migration.ts'

export function NoWayBack() {
  return (
    <div className="callout b">
      <span className="bad">
        <Icon name="wrong" />
      </span>
      <span>
        <b>{text.noWayBack}</b> {text.noWayBackDetail}
      </span>
    </div>
  )
}

interface FinalFormProps {
  readonly zone: WireZone
  readonly label: string
  readonly isDisabled: boolean
  readonly isPending: boolean
  readonly onConfirmed: () => void
  /** Beside the button. */
  readonly children?: ReactNode
}

export function FinalForm({ zone, label, isDisabled, isPending, onConfirmed, children }: FinalFormProps) {
  const [typed, setTyped] = useState('')
  const { isLeft, leave, show } = useLeftField()
  const [isAgreed, setAgreed] = useState(false)
  const isRight = typed.trim().toLowerCase() === zone.name
  const isWrong = isLeft && typed !== '' && !isRight
  return (
    <form
      className="stack narrow"
      onSubmit={(event) => {
        event.preventDefault()
        show()
        if (isRight && isAgreed && !isDisabled && !isPending) onConfirmed()
      }}
    >
      <TextField
        label={text.typeName}
        error={isWrong ? text.wrongName(zone.name) : undefined}
        disabled={isDisabled}
        value={typed}
        onChange={setTyped}
        onBlur={leave}
        // A form whose button is disabled is not submitted.
        onKeyDown={({ key }) => key === 'Enter' && show()}
      />
      <label className="opt">
        <input
          type="checkbox"
          className="ck"
          disabled={isDisabled}
          checked={isAgreed}
          onChange={({ target }) => setAgreed(target.checked)}
        />
        {text.toolsNote}
      </label>
      <div className="row">
        <button
          type="submit"
          className="btn final"
          disabled={!isRight || !isAgreed || isDisabled || isPending}
        >
          {label}
        </button>
        {children}
      </div>
      <p className="small dim">{text.signInNote}</p>
    </form>
  )
}
