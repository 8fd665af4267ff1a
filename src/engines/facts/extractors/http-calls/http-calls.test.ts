/** HTTP calls of each client, with the host where it is written. */
import { expect, it } from 'vitest';
import { describeFacts } from '../describe-facts.ts';
import { httpCalls } from './index.ts';

const CASES: [name: string, path: string, text: string, calls: string[]][] = [
  [
    'fetch',
    'a.ts',
    `await fetch(\`\${base}/users/\${id}?x=1\`, { method: 'DELETE' });
fetch('https://api.stripe.com/v1/charges', { method: 'POST' });
fetch(url);
fetch(\`/items\${query}\`);
cache.fetch('/no');`,
    ['uses DELETE /users/{} @1', 'uses POST /v1/charges @2 api.stripe.com', 'uses GET /items @4'],
  ],
  [
    'axios',
    'a.ts',
    `import axios from 'axios';
const api = axios.create({ baseURL: 'http://orders/api' });
api.post('/orders', body);
axios({ url: '/x', method: 'put' });
const reply = await axios.get<User>('/me');
reply.get('/no');
map.get('/no');`,
    ['uses POST /api/orders @3 orders', 'uses PUT /x @4', 'uses GET /me @5'],
  ],
  [
    'angular',
    'a.ts',
    "import { HttpClient } from '@angular/common/http';\nclass A { constructor(private http: HttpClient) {}\n get() { return this.http.get<X>('/api/v1/info'); } }",
    ['uses GET /api/v1/info @3'],
  ],
  [
    'requests and httpx',
    'a.py',
    `import requests, httpx
r = requests.post(f"{settings.API}/users/{user.id}/mail", json={})
r.get("/no")
requests.request("PATCH", "http://billing:8080/invoices/%s" % number)
with httpx.Client(base_url="http://users/v1") as client:
    client.get("/me")
d.get("/no")`,
    ['uses POST /users/{}/mail @2', 'uses PATCH /invoices/{} @4 billing', 'uses GET /v1/me @6 users'],
  ],
  [
    'net/http',
    'a.go',
    `package a
import ("fmt"; "net/http")
const path = "/get-quote"
func f(ctx C) {
	http.NewRequestWithContext(ctx, http.MethodPost, base+path, nil)
	http.Get(fmt.Sprintf("%s/artist/%d/top", base, id))
	w.Header().Get("/no")
}`,
    ['uses POST /get-quote @5', 'uses GET /artist/{}/top @6'],
  ],
  [
    'spring clients',
    'A.java',
    `import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;
class A {
  void f(RestTemplate rest, WebClient client) {
    rest.getForObject("http://users/users/{id}", User.class, 1);
    rest.exchange(url + "/x", HttpMethod.PUT, null, A.class);
    client.get().uri("http://customers-service/owners/{id}", 1).retrieve();
  }
}`,
    ['uses GET /users/{} @5 users', 'uses PUT /x @6', 'uses GET /owners/{} @7 customers-service'],
  ],
  [
    'retrofit in kotlin',
    'A.kt',
    'import retrofit2.http.GET\ninterface A { @GET("users/{id}") fun get(): User }',
    ['uses GET /users/{} @2'],
  ],
  [
    'HttpClient',
    'A.cs',
    'class A(HttpClient httpClient) {\n  string remote = "/api/Orders/";\n  Task F() => httpClient.GetFromJsonAsync<X>(remote)!;\n  Task G() => httpClient.PostAsync($"api/items/{id}", null);\n}',
    ['uses GET /api/Orders @3', 'uses POST /api/items/{} @4'],
  ],
  [
    'HttpClient with bases and local variables',
    'A.cs',
    `class A(HttpClient httpClient, IRequestProvider _requestProvider) {
  const string Base = "api/catalog/";
  Task F(int id) {
    var uri = $"{Base}items/{id}";
    return httpClient.GetFromJsonAsync<Item>(uri);
  }
  Task G() {
    var uri = UriHelper.CombineUri(settings.Gateway, $"{Base}brands?{Version}");
    return _requestProvider.PostAsync(uri, body);
  }
  Task H(string uri) { return httpClient.GetAsync(uri); }
  Task I() { return cache.GetAsync("a/b"); }
}`,
    ['uses GET /api/catalog/items/{} @5', 'uses POST /api/catalog/brands @9'],
  ],
  [
    'fetch with local variables',
    'b.ts',
    `const base = 'http://orders/api';
function one(id: string) {
  const url = \`\${base}/orders/\${id}\`;
  if (id) { const url = '/no'; log(url); }
  return fetch(url);
}
function two() {
  const url = base + '/items'
  const options = {}
  return fetch(url, options)
}
const three = (url: string) => { return fetch(url); };
function four() { const { url } = place(); return fetch(url); }`,
    ['uses GET /api/orders/{} @5 orders', 'uses GET /api/items @10 orders'],
  ],
  [
    'wrappers of the repository',
    'c.ts',
    `import request from '@/utils/request';
const basePath = '/api';
request<Cart>({ url: \`\${basePath}/cart\`, method: 'DELETE' });
request({ url: \`\${basePath}/products/\${id}\`, queryParams: {} });
request({ body: 1 });
request('/no');
open({ url: '/no' });`,
    ['uses DELETE /api/cart @3', 'uses GET /api/products/{} @4'],
  ],
  [
    'clients that another file makes',
    'd.ts',
    `import api from '@/boot/axios';
import { apiClient } from './client';
import redis from 'redis';
import express from 'express';
api.get('/users/' + id, { params });
await apiClient.post<User>(\`users/\${id}/posts\`, body);
this.$http.delete('/users/1');
api.put('/users', () => {});
api.get('/users', list);
api.get('key'); HTTP.get("products");
const client = redis.createClient();
client.get('/no');
http.get('/no', (req, res) => {});
useSWR('/me', fetcher);
$.ajax({ url: '/login', type: 'POST' });
$.post('/logout', done);
$.ajax({ url: 'accounts/current', type: 'put' });
Client.request('session', { method: 'DELETE' });
Client.request(\`/sites/\${id}/stats?a=1\`);
socket.patch(\`/cards/\${id}\`, data, headers);
socket.get('user');`,
    [
      'uses GET /users/{} @5',
      'uses POST /users/{}/posts @6',
      'uses DELETE /users/1 @7',
      'uses GET /products @10',
      'uses GET /me @14',
      'uses POST /login @15',
      'uses POST /logout @16',
      'uses PUT /accounts/current @17',
      'uses DELETE /session @18',
      'uses GET /sites/{}/stats @19',
      'uses PATCH /cards/{} @20',
    ],
  ],
  [
    'ruby clients',
    'a.rb',
    'Faraday.get("https://api.example.com/a/#{id}")\nconn = Faraday.new(url: "http://users")\nconn.post("/b", x)\nNet::HTTP.get(URI("http://c/d"))\nparams.get("/no")',
    ['uses GET /a/{} @1 api.example.com', 'uses POST /b @3 users', 'uses GET /d @4 c'],
  ],
  [
    'php clients',
    'a.php',
    "<?php\nuse GuzzleHttp\\Client;\nuse Illuminate\\Support\\Facades\\Http;\n$client = new Client();\n$client->request('POST', 'http://x/y');\nHttp::withToken($t)->get(\"http://z/users/{$id}\");\nCache::get('/no');",
    ['uses POST /y @5 x', 'uses GET /users/{} @6 z'],
  ],
];

it.each(CASES)('finds calls of %s', async (_name, path, text, expected) => {
  expect(await describeFacts(httpCalls, path, text)).toEqual(expected);
});
