// The field for the name of a catalog zone.
import { Field } from '../../parts/field.tsx'
import { catalogStrings } from '../../strings/catalogs.ts'

interface CatalogNameFieldProps {
  readonly hint: string
  readonly value: string
  readonly onChange: (name: string) => void
}

export const CatalogNameField = ({ hint, value, onChange }: CatalogNameFieldProps) => (
  <div className="g2 g2p">
    <Field label={catalogStrings.form.name} hint={hint}>
      {(ids) => (
        <input
          {...ids}
          className="in"
          required
          autoFocus
          spellCheck={false}
          autoComplete="off"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  </div>
)
