// For each rule of wordpress.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get, json, upload, xml } from './sample-requests.cases.ts'

export const WORDPRESS_SAMPLES: RuleSamples = {
  '32c205b074376626a8baf4f6b5654617': {
    matching: json('/wp-json/wp/v2/posts/1', '{"id":"1abc","title":"x"}'),
    passing: json('/wp-json/wp/v2/posts/1', '{"id":"1","title":"x"}'),
  },
  '15d340e9efa7d26f48be547e53a6ef19': {
    matching: xml('/xmlrpc.php', '<methodCall><methodName>system.multicall</methodName></methodCall>'),
    passing: xml('/xmlrpc.php', '<methodCall><methodName>wp.getPosts</methodName></methodCall>'),
  },
  '5867235b149d38ffd48cd31aa3cc71bc': {
    matching: xml('/xmlrpc.php', '<methodCall><methodName>pingback.ping</methodName></methodCall>'),
    passing: xml('/xmlrpc.php', '<methodCall><methodName>demo.sayHello</methodName></methodCall>'),
  },
  '2582a05efea65ae0f3dd0355e922bf20': {
    matching: get('/wp-admin/admin-ajax.php?action=revslider_show_image&img=../wp-config.php'),
    passing: get('/wp-admin/admin-ajax.php?action=heartbeat&screen_id=edit'),
  },
  bface62f5992ed35a76af65755cb9758: {
    matching: upload('/wp-content/plugins/wp-file-manager/lib/php/connector.minimal.php', 'x.php', '<?php'),
    passing: upload('/wp-admin/admin-ajax.php?action=upload', 'photo.jpeg', 'x'),
  },
  '7ab6d6fd19ca0f3811b456078e993cd2': {
    matching: get('/wp-content/uploads/2025/01/up.php'),
    passing: get('/wp-content/uploads/2025/01/php-course.pdf'),
  },
  f1fb5de9a3dd8a7a5806371b65ecd047: {
    matching: form(
      '/wp-admin/admin-ajax.php?action=save_settings',
      'option_name=default_role&option_value=administrator',
    ),
    passing: form('/wp-admin/admin-ajax.php?action=save_settings', 'option_name=color&option_value=blue'),
  },
  '276af179ab1c37415730e4bedd09714b': {
    matching: get('/wp-admin/admin-ajax.php?action=get_list&id=1+and+(select+1+from(select(sleep(5)))a)'),
    passing: get('/wp-admin/edit.php?s=union+and+select+members'),
  },
  f1a989730258471c392db21712678136: {
    matching: get(`/wp-admin/load-scripts.php?c=1&load[]=${'jquery-ui-core,'.repeat(110)}`),
    passing: get('/wp-admin/load-scripts.php?c=1&load[]=jquery-core,utils'),
  },
  '83da13f85e962a55f6aed400711862bc': {
    matching: get('/?author=1'),
    passing: get('/?author=carol'),
  },
  '14c09becd2b913b48059bc88957328bb': {
    matching: form(
      '/wp-comments-post.php',
      'comment=%3Ca+title%3D%27x+onmouseover%3Dalert(1)+x%27%3E&comment_post_ID=1',
    ),
    passing: form('/wp-comments-post.php', 'comment=Nice+%3Cb%3Epost%3C/b%3E,+carry+on&comment_post_ID=1'),
  },
  '9aaa9d03250b537f0a1345b806c7dbd9': {
    matching: get('/wp-cron.php?doing_wp_cron=1767600000.1234', {
      'user-agent': 'WordPress/6.7; https://www.example.com',
    }),
    passing: get('/wp-cron.php?doing_wp_cron=../x', {
      'user-agent': 'WordPress/6.7; https://www.example.com',
    }),
  },
}
