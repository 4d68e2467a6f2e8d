// The examples in error messages are content that the API accepts.
import { parseName } from '@zonereeve/dns'
import { expect, test } from 'vitest'
import { CONTENT_EXAMPLES } from './content-form.ts'
import { isRecordType, wireTypeOf } from './registry.ts'

const SHA256 = 'ab'.repeat(32)

test.each(Object.entries(CONTENT_EXAMPLES))('%s is written like %s', (type, example) => {
  if (!isRecordType(type)) throw new Error(`${type} is no type`)
  const content = example.replace('2bb183af…', SHA256)
  const input = { content, data: undefined, priority: type === 'SRV' || type === 'URI' ? 1 : undefined }
  const read = wireTypeOf(type).read(input, {
    apex: parseName('example.com'),
    quoteTxt: true,
    isStored: false,
  })
  expect('value' in read ? [] : read).toEqual([])
})
