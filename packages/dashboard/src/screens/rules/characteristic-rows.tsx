// What requests are counted by, one row each: equal in all of them, they share a count.
import { useId, useRef, useState } from 'react'
import { Field } from '../../parts/field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useLeftField } from '../../parts/left-field.ts'
import { Icon } from '../../parts/icon.tsx'
import { ruleStrings } from '../../strings/rules.ts'
import {
  CHARACTERISTIC_KINDS,
  characteristicProblem,
  hasName,
  type Characteristic,
  type CharacteristicKind,
} from './characteristics.ts'

const text = ruleStrings.rate

interface CharacteristicRowsProps {
  readonly rows: readonly Characteristic[]
  /** About all of them. */
  readonly refusal: string | undefined
  readonly refusalOf: (index: number) => string | undefined
  readonly onChange: (rows: readonly Characteristic[]) => void
}

export function CharacteristicRows({ rows, refusal, refusalOf, onChange }: CharacteristicRowsProps) {
  const addButton = useRef<HTMLButtonElement>(null)
  const refusalId = useId()
  // A row keeps its state when one above it is removed.
  const [keys, setKeys] = useState(() => rows.map((_, index) => index))
  const unused = CHARACTERISTIC_KINDS.find((kind) => hasName(kind) || rows.every((row) => row.kind !== kind))
  const add = (): void => {
    setKeys([...keys, Math.max(-1, ...keys) + 1])
    onChange([...rows, { kind: unused ?? 'header', name: '' }])
  }
  /** The focus leaves the button before it goes. */
  const remove = (index: number): void => {
    addButton.current?.focus()
    setKeys(keys.toSpliced(index, 1))
    onChange(rows.toSpliced(index, 1))
  }
  return (
    <fieldset
      className="choice stack counted"
      aria-describedby={refusal === undefined ? undefined : refusalId}
    >
      <legend className="small soft">{text.countedBy}</legend>
      {rows.map((row, index) => (
        <Row
          key={keys[index]}
          place={index + 1}
          row={row}
          refusal={refusalOf(index)}
          onChange={(changed) => onChange(rows.with(index, changed))}
          onRemove={rows.length === 1 ? undefined : () => remove(index)}
        />
      ))}
      {refusal !== undefined && (
        <span id={refusalId} className="bad small row">
          <Icon name="wrong" />
          {refusal}
        </span>
      )}
      <div className="row">
        <button ref={addButton} type="button" className="btn" onClick={add}>
          {text.addCharacteristic}
        </button>
        <span className="small dim">{text.countedByNote}</span>
      </div>
    </fieldset>
  )
}

interface RowProps {
  /** From 1. */
  readonly place: number
  readonly row: Characteristic
  readonly refusal: string | undefined
  readonly onChange: (row: Characteristic) => void
  /** undefined for the only one. */
  readonly onRemove: (() => void) | undefined
}

function Row({ place, row, refusal, onChange, onRemove }: RowProps) {
  const { isLeft, leave, reset } = useLeftField()
  const isNamed = hasName(row.kind)
  const nameLabel = row.kind === 'other' ? text.field : text.fieldName
  const problem = isLeft ? (characteristicProblem(row) ?? refusal) : refusal
  return (
    <div className="line c">
      <Field
        label={text.characteristic(place)}
        error={isNamed ? undefined : refusal}
        {...(!isNamed && { className: 'only' })}
      >
        {(ids) => (
          <select
            {...ids}
            className="sel"
            value={row.kind}
            onChange={({ target }) => {
              reset()
              onChange({ kind: target.value as CharacteristicKind, name: '' }) // its options
            }}
          >
            {CHARACTERISTIC_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {text.kinds[kind]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {isNamed && (
        <TextField
          label={nameLabel}
          error={problem}
          aria-label={text.ofCharacteristic(nameLabel, place)}
          value={row.name}
          onBlur={leave}
          onChange={(typed) => onChange({ ...row, name: typed })}
        />
      )}
      {onRemove !== undefined && (
        <button
          type="button"
          className="btn bare"
          aria-label={text.removeCharacteristic(place)}
          onClick={onRemove}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  )
}
