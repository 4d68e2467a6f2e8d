// For each rule of php.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get, json } from './sample-requests.cases.ts'

export const PHP_SAMPLES: RuleSamples = {
  fc09ea191ee1afccd5d750e0f54617c5: {
    matching: get('/index.php?%ADd+allow_url_include%3d1+%ADd+auto_prepend_file%3dphp://input'),
    passing: get('/docs.php?allow_url_include'),
  },
  c3dd61b4aa4d2a3db407f38fee675c9c: {
    matching: get('/vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php'),
    passing: get('/docs/phpunit/util.html'),
  },
  f6c8962ceb8f99c976c7be385971a197: {
    matching: get(
      '/index.php?s=/index/\\think\\app/invokefunction&function=call_user_func_array&vars[0]=md5',
    ),
    passing: get('/index.php?s=/index/thinking/app'),
  },
  b86681f0dcc4a620585c7a887045ec62: {
    matching: json(
      '/_ignition/execute-solution',
      '{"solution":"Facade\\\\Ignition\\\\Solutions\\\\MakeViewVariableOptionalSolution"}',
    ),
    passing: get('/_ignition/health-check'),
  },
  a1e470459884d7c18cd4379a81913336: {
    matching: form('/x.php', 'a=@eval(base64_decode($_POST[z0]));'),
    passing: json('/posts', '{"text":"In PHP, $_GET holds the query and eval is best left out."}'),
  },
  '946d4e6cf58a97c17f106999a1152ab5': {
    matching: get("/index.php?a=${@system('id')}"),
    passing: json('/posts', '{"code":"if (ok) { call the system (\'main\') }"}'),
  },
  d587bd33eb55568f74cb2cbf73ccec88: {
    matching: get('/phpmyadmin/index.php?target=db_sql.php%253f/../../../../etc/passwd'),
    passing: get('/phpmyadmin/index.php?target=db_sql.php'),
  },
  '4f4435aca7b26caf8afd303725416098': {
    matching: get('/index.php?GLOBALS[mosConfig_absolute_path]=x'),
    passing: get('/index.php?globalsearch=x'),
  },
  '5eed63024f4ba847d64cbb385756b8bd': {
    matching: get('/index.php?+config-create+/&file=/usr/local/lib/php/pearcmd.php&/<?=1?>+/tmp/a.php'),
    passing: get('/index.php?q=pear+commander'),
  },
  '0b04c095f35a6243d9b2b1403d88439a': {
    matching: get('/index.php/PHP%0Anext.php?QQQ'),
    passing: get('/index.php/php-is-fine'),
  },
  '900d5cbc13e0e775f3e9fd57e8ef2dc3': {
    matching: get('/_profiler/open?file=app/config/parameters.yml'),
    passing: get('/profiler/open'),
  },
}
