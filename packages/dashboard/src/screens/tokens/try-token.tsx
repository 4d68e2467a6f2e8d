// How to try a token that was just made.
import { tokenStrings as words } from '../../strings/tokens.ts'

export function TryToken() {
  return (
    <p className="small soft">
      {words.tryIt}{' '}
      <code>{`curl -H "Authorization: Bearer $TOKEN" ${location.origin}/client/v4/user/tokens/verify`}</code>
    </p>
  )
}
