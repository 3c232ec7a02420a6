// Judges the files by which a host says which apps open its links, by the rules that Apple and Google publish, and by nothing that the
// service knows. Reads {apple, google}, each {status, type, body}, and prints `ok`, or what is wrong.
//
// https://developer.apple.com/documentation/xcode/supporting-associated-domains
// https://developer.apple.com/documentation/bundleresources/applinks
// https://developer.android.com/training/app-links/configure-assetlinks
// https://developers.google.com/digital-asset-links/v1/statements
import { readFileSync } from 'node:fs';

const wrong = [];
const must = (holds, rule) => holds || wrong.push(rule);
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value, of) => Array.isArray(value) && value.length > 0 && value.every(of);

function parsed(name, { status, type, body }, limit) {
  must(status === 200, `${name}: answered without redirects, by 200`);
  must(/^application\/json\b/.test(type), `${name}: application/json`);
  must(Buffer.byteLength(body) <= limit, `${name}: at most ${limit} bytes`);
  try {
    return JSON.parse(body);
  } catch {
    wrong.push(`${name}: JSON`);
    return null;
  }
}

const isAppId = (id) => /^[A-Z0-9]{10}\.[A-Za-z0-9.-]+$/.test(id);
const COMPONENT = {
  '/': (value) => typeof value === 'string',
  '?': (value) => typeof value === 'string' || (isObject(value) && Object.values(value).every((it) => typeof it === 'string')),
  '#': (value) => typeof value === 'string',
  exclude: (value) => typeof value === 'boolean',
  comment: (value) => typeof value === 'string',
  caseSensitive: (value) => typeof value === 'boolean',
  percentEncoded: (value) => typeof value === 'boolean',
};

function apple(file) {
  must(isObject(file) && Object.keys(file).length > 0, 'apple: an object with a service');
  for (const [service, content] of Object.entries(file ?? {})) {
    must(['applinks', 'webcredentials', 'appclips', 'activitycontinuation'].includes(service), `apple: ${service} is a service`);
    if (service !== 'applinks') {
      must(isList(content.apps, isAppId), `apple: ${service}.apps are ids of apps`);
      continue;
    }
    must(Array.isArray(content.details), 'apple: details is a list');
    for (const detail of content.details ?? []) {
      must(isList(detail.appIDs ?? [detail.appID], isAppId), 'apple: appIDs are ids of apps');
      for (const component of detail.components ?? []) {
        for (const [key, value] of Object.entries(component)) must(COMPONENT[key]?.(value), `apple: component ${key}`);
      }
    }
  }
}

function google(file) {
  must(isList(file, isObject), 'google: a list of statements');
  for (const { relation, target } of file ?? []) {
    must(isList(relation, (it) => /^[a-z_]+\/[a-z_.]+$/.test(it)), 'google: relations');
    must(target?.namespace === 'android_app' || target?.namespace === 'web', 'google: the namespace of the target');
    if (target?.namespace === 'web') must(/^https?:\/\/[^/]+$/.test(target.site), 'google: the site');
    else {
      must(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/.test(target?.package_name), 'google: the name of the package');
      must(
        isList(target?.sha256_cert_fingerprints, (it) => /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/.test(it)),
        'google: fingerprints in capitals',
      );
    }
  }
}

const given = JSON.parse(readFileSync(0, 'utf8'));
apple(parsed('apple', given.apple, 128 * 1024));
google(parsed('google', given.google, 256 * 1024));
console.log(wrong.length ? wrong.join('\n') : 'ok');
