// The fields of a record in edit.
import { TextField } from '../../parts/text-field.tsx'
import { Field } from '../../parts/field.tsx'
import { strings } from '../../strings.ts'
import { isProxiable, withType, type Draft } from './record-draft.ts'
import { FORM_TYPES, formOf, type FormErrors, type FormField } from './record-forms.ts'

interface EditorFieldsProps {
  readonly draft: Draft
  readonly zone: string
  readonly errors: FormErrors
  readonly onChange: (change: Partial<Draft>) => void
  readonly onLeft: (member: string) => void
}

/** With more fields, the value has a line of its own. */
const FIELDS_IN_LINE = 2

export function EditorFields(props: EditorFieldsProps) {
  const { draft } = props
  const fields = formOf(draft.type)
  const isInLine = fields.length <= FIELDS_IN_LINE && draft.type !== 'TXT'
  return (
    <>
      <div className={isInLine ? `line parts${fields.length}` : 'line parts0'}>
        <TypeField {...props} />
        <NameField {...props} />
        {isInLine && fields.map((field) => <ValueField key={field.member} field={field} {...props} />)}
        <TtlField {...props} />
      </div>
      {!isInLine && (
        <div className={`line own${fields.length}`}>
          {fields.map((field) => (
            <ValueField key={field.member} field={field} {...props} />
          ))}
        </div>
      )}
      <div className="line b">
        <PlainField {...props} member="comment" label={strings.records.comment} />
        <PlainField {...props} member="tags" label={strings.records.tags} />
        <ProxiedField {...props} />
      </div>
    </>
  )
}

function TypeField({ draft, onChange }: EditorFieldsProps) {
  const types = FORM_TYPES.includes(draft.type) ? FORM_TYPES : [draft.type, ...FORM_TYPES]
  return (
    <Field label={strings.records.columns.type}>
      {(ids) => (
        <select
          {...ids}
          className="sel"
          value={draft.type}
          onChange={({ target }) => onChange(withType(draft, target.value))}
        >
          {types.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      )}
    </Field>
  )
}

function NameField({ draft, zone, errors, onChange, onLeft }: EditorFieldsProps) {
  return (
    <Field label={strings.records.columns.name} hint={zone} error={errors['name']}>
      {(ids) => (
        <input
          {...ids}
          data-name
          className="in"
          value={draft.name}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onChange({ name: target.value })}
          onBlur={() => onLeft('name')}
        />
      )}
    </Field>
  )
}

interface ValueFieldProps extends EditorFieldsProps {
  readonly field: FormField
}

function ValueField({ field, draft, errors, onChange, onLeft }: ValueFieldProps) {
  const { member, label, options, hint, kind } = field
  const value = draft.values[member]
  const set = (next: string): void => onChange({ values: { ...draft.values, [member]: next } })
  const isLong = draft.type === 'TXT'
  const size = isLong ? strings.records.txtSize(new TextEncoder().encode(value).length) : hint
  return (
    <Field
      label={label}
      {...(size === undefined ? {} : { hint: size })}
      error={errors[member]}
      className={kind === 'number' || options !== undefined ? 'short' : 'full'}
    >
      {(ids) => {
        const shared = { ...ids, 'data-value': true, value, onBlur: () => onLeft(member) }
        if (options !== undefined)
          return (
            <select {...shared} className="sel" onChange={({ target }) => set(target.value)}>
              {withOption(options, value).map(([option, name]) => (
                <option key={option} value={option}>
                  {name}
                </option>
              ))}
            </select>
          )
        if (isLong)
          return <textarea {...shared} className="in" rows={3} onChange={({ target }) => set(target.value)} />
        return (
          <input
            {...shared}
            className="in"
            autoComplete="off"
            spellCheck={false}
            inputMode={kind === 'number' ? 'numeric' : undefined}
            onChange={({ target }) => set(target.value)}
          />
        )
      }}
    </Field>
  )
}

/** A stored value that is not among the options is one, too. */
function withOption(options: NonNullable<FormField['options']>, value: string | undefined) {
  const isKnown = value === undefined || options.some(([option]) => option === value)
  return isKnown ? options : ([[value, value], ...options] as const)
}

function TtlField({ draft, errors, onChange, onLeft }: EditorFieldsProps) {
  const isListed = strings.records.ttls.some(([ttl]) => ttl === draft.ttl)
  const options = isListed ? strings.records.ttls : [...strings.records.ttls, [draft.ttl, draft.ttl] as const]
  return (
    <Field label={strings.records.columns.ttl} error={errors['ttl']}>
      {(ids) => (
        <select
          {...ids}
          className="sel"
          value={draft.ttl}
          onChange={({ target }) => onChange({ ttl: target.value })}
          onBlur={() => onLeft('ttl')}
        >
          {options.map(([ttl, name]) => (
            <option key={ttl} value={ttl}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface PlainFieldProps extends EditorFieldsProps {
  readonly member: 'comment' | 'tags'
  readonly label: string
}

function PlainField({ member, label, draft, errors, onChange }: PlainFieldProps) {
  return (
    <TextField
      label={label}
      error={errors[member]}
      isProse={member === 'comment'}
      value={draft[member]}
      onChange={(typed) => onChange({ [member]: typed })}
    />
  )
}

function ProxiedField({ draft, onChange }: EditorFieldsProps) {
  if (!isProxiable(draft.type))
    return (
      <div className="f">
        <span className="lab">{strings.records.columns.proxied}</span>
        <span className="hint">{strings.records.notProxiable(draft.type)}</span>
      </div>
    )
  return (
    <div className="f">
      <span className="lab">{strings.records.columns.proxied}</span>
      <label className="opt switch">
        <input
          type="checkbox"
          role="switch"
          className="ck"
          checked={draft.proxied}
          onChange={({ target }) => onChange({ proxied: target.checked })}
        />
        {draft.proxied ? strings.records.edge : strings.records.direct}
      </label>
    </div>
  )
}
