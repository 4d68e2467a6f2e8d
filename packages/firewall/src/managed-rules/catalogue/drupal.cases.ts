// For each rule of drupal.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'

export const DRUPAL_SAMPLES: RuleSamples = {
  '3c186a1ab604f59bd2f0ed861c2f6df9': {
    matching: {
      method: 'POST',
      target: '/user/register?element_parents=account/mail/%23value&ajax_form=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'form_id=user_register_form&mail[%23post_render][]=exec&mail[%23markup]=id',
    },
    passing: { target: '/user/register?element=account/mail&ajax_form=1&tag[]=%23markup' },
  },
  a8a055f395c4589acc5283e87fd5182a: {
    matching: {
      method: 'POST',
      target: '/user/register?element_parents=account/mail/%2523value&ajax_form=1',
    },
    passing: { method: 'POST', target: '/user/register?element_parents=account/mail/widget&ajax_form=1' },
  },
  c67acfe2d9ec988cfe036c63d69304d0: {
    matching: { target: '/?q=node/99/delete&destination=node?q[%2523][]=passthru%26q[%2523post_render]=x' },
    passing: { target: '/user/login?destination=/node/5%3Fpage%3D2' },
  },
  '5918412534b20e867e55125666665c88': {
    matching: {
      method: 'POST',
      target: '/?q=node&destination=node',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'name[0%20;update+users+set+name%3D%27x%27+where+uid%3D1;;#%20%20]=bob&name[0]=a&pass=p&form_id=user_login_block',
    },
    passing: {
      method: 'POST',
      target: '/?q=node&destination=node',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'name[0]=update+users&pass=p&form_id=user_login_block',
    },
  },
  '8b35ed77045093695ceb4d307aa9869f': {
    matching: {
      method: 'POST',
      target: '/node/1?_format=hal_json',
      headers: { 'content-type': 'application/hal+json' },
      body: String.raw`{"link":[{"value":"link","options":"O:24:\"GuzzleHttp\\Psr7\\FnStream\":2:{s:33:\"x\";}"}]}`,
    },
    passing: {
      method: 'POST',
      target: '/node/1?_format=hal_json',
      headers: { 'content-type': 'application/hal+json' },
      body: '{"link":[{"value":"link","options":"target=_blank"}],"title":[{"value":"10:30: \\"start\\""}]}',
    },
  },
  fa0dbfd8767b6bd30c1835def25892ba: {
    matching: { target: '/sites/default/settings.php~' },
    passing: { target: '/sites/default/files/styles/large/public/photo.jpg' },
  },
}
