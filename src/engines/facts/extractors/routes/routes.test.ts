/** Routes of each framework; what only looks like a route is none. */
import { describe, expect, it } from 'vitest';
import { nameFacts } from '../describe-facts.ts';
import { routes } from './index.ts';

const CASES: [name: string, path: string, text: string, routes: string[]][] = [
  [
    'express with mounted routers',
    'a.js',
    `const express = require('express');
const app = express();
const users = express.Router();
users.get('/:id', show);
users.route('/:id/posts').get(list).post(create);
app.use('/api/users', users);
app.get('view engine');
app.delete('/health', (req, res) => client.get('/other', x));
client.get('/not-a-route', handler);`,
    ['GET /api/users/{}', 'GET /api/users/{}/posts', 'POST /api/users/{}/posts', 'DELETE /health'],
  ],
  [
    'express with routers in routers',
    'a.js',
    `import express, { Router } from 'express';
const posts = Router();
posts.get('/:id', show);
const api = Router();
api.use('/posts', requireUser, posts);
const app = express();
app.use('/api/v1', api);
api.get('/me', me);`,
    ['GET /api/v1/posts/{}', 'GET /api/v1/me'],
  ],
  [
    'koa with routers in routers',
    'a.js',
    `import Router from '@koa/router';
const users = new Router();
users.prefix('/users');
users.get('/:id', show);
const root = new Router();
root.use('/api', users.routes());`,
    ['GET /api/users/{}'],
  ],
  [
    'fastify plugins with a prefix',
    'a.ts',
    `import Fastify from 'fastify';
const server = Fastify();
server.register(async (fastify) => { fastify.get('/items/:id', show); }, { prefix: '/v1' });
server.get('/ping', ping);`,
    ['GET /v1/items/{}', 'GET /ping'],
  ],
  [
    'routing-controllers',
    'a.ts',
    `import { JsonController, Get } from 'routing-controllers';
@JsonController('/users')
export class Users { @Get('/:id') one() {} }`,
    ['GET /users/{}'],
  ],
  [
    'an express app inside of a function',
    'a.js',
    `(function () { var express = require("express"), app = express();
app.post("/login*", function () {}); }());`,
    ['POST /login{}'],
  ],
  [
    'fastify with typed parameters',
    'a.ts',
    `import type { FastifyInstance } from 'fastify';
export async function plugin(server: FastifyInstance) {
  server.get<{ Params: X }>('/items/:id', handler);
  server.route({ method: ['GET', 'HEAD'], url: '/ping', handler });
}`,
    ['GET /items/{}', 'GET /ping', 'HEAD /ping'],
  ],
  [
    'hono',
    'a.ts',
    "import { Hono } from 'hono';\nconst app = new Hono().get('/a', h).post('/b', h);\nconst api = new Hono();\napi.put('/c', h);\napp.route('/v1', api);",
    ['GET /a', 'POST /b', 'PUT /v1/c'],
  ],
  [
    'actix',
    'a.rs',
    `use actix_web::{get, post, web};
#[post("/quotes/{id}")]
async fn quote() {}
// #[get("/old")]`,
    ['POST /quotes/{}'],
  ],
  ['rocket', 'a.rs', 'use rocket::*;\n#[get("/users/<id>?<page>")]\nfn user() {}', ['GET /users/{}']],
  [
    'axum',
    'a.rs',
    `use axum::{routing::{get, post}, Router};
fn app() -> Router { Router::new().route("/users", get(list).post(create)).route("/ping", axum::routing::get(ping)) }`,
    ['GET /users', 'POST /users', 'GET /ping'],
  ],
  [
    'axum, without tests at the end of the file',
    'a.rs',
    'use axum::{routing::get, Router};\nfn app() -> Router { Router::new().route("/users", get(list)) }\n#[cfg(test)]\nmod tests {\n  fn app() -> Router { Router::new().route("/slow", get(slow)) }\n}',
    ['GET /users'],
  ],
  ['attributes of other crates', 'a.rs', 'use other::get;\n#[get("/x")]\nfn x() {}', []],
  [
    'koa',
    'a.js',
    "const Router = require('@koa/router');\nconst router = new Router({ prefix: '/api' });\nrouter.get('/x', ctx => {});",
    ['GET /api/x'],
  ],
  [
    'koa without a first slash, and with names',
    'a.ts',
    `import Router from 'koa-router';
const router = new Router();
router.post('documents.info', auth(), async (ctx) => {});
router.get('users/:id', load, show);
router.get('user', '/members/:id', show);
router.get('not-a-route');
router.get(config.id, show);`,
    ['POST /documents.info', 'GET /users/{}', 'GET /members/{}'],
  ],
  [
    'express reads a setting without a slash',
    'a.js',
    "const app = require('express')();\napp.get('documents.info', handler);",
    [],
  ],
  [
    'nest',
    'a.ts',
    `import { Controller, Get, Post } from '@nestjs/common';
@Controller('cats')
export class CatsController {
  @Get() all() {}
  @Post(':id/photo') add(@Param('id') id: string) {}
}`,
    ['GET /cats', 'POST /cats/{}/photo'],
  ],
  [
    'next',
    'web/app/(shop)/api/items/[id]/route.ts',
    'export async function GET() {}\nexport const POST = auth(handler);\nfunction PUT() {}',
    ['GET /api/items/{}', 'POST /api/items/{}'],
  ],
  ['next pages', 'pages/api/users/index.ts', 'export default handler;', ['ANY /api/users']],
  [
    'a client of the same name',
    'a.ts',
    "import axios from 'axios';\nconst app = axios.create();\napp.get('/x', {});",
    [],
  ],
  ['a test', 'src/a.test.ts', "import express from 'express';\nexpress().get('/x', h);", []],
  [
    'flask',
    'a.py',
    `from flask import Blueprint, Flask
app = Flask(__name__)
bp = Blueprint('users', __name__, url_prefix='/users')
@bp.route('/<int:id>', methods=['GET', 'DELETE'])
def user(id): pass
@app.get('/ping')
def ping(): return cache.get('/x', 1)
app.add_url_rule('/old', view_func=old)`,
    ['GET /users/{}', 'DELETE /users/{}', 'GET /ping', 'GET /old'],
  ],
  [
    'fastapi',
    'a.py',
    `from fastapi import APIRouter, FastAPI
router = APIRouter(prefix="/items")
@router.get("/{item_id}", response_model=Item)
async def read(item_id: str): ...
app = FastAPI()
app.include_router(router, prefix="/v1")`,
    ['GET /v1/items/{}'],
  ],
  [
    'fastapi with routers in routers, and one of another file',
    'a.py',
    `from fastapi import APIRouter, FastAPI
from . import users
items = APIRouter(prefix="/items")
@items.get("/{item_id}")
async def read(item_id: str): ...
api = APIRouter()
api.include_router(items)
router = APIRouter()
@router.post("/login")
def login(): ...
app = FastAPI()
app.include_router(users.router, prefix="/users")
app.include_router(api, prefix="/api")`,
    ['GET /api/items/{}', 'POST /login'],
  ],
  [
    'flask-restful',
    'a.py',
    `from flask_restful import Api, Resource
api = Api(app)
api.add_resource(Todo, '/todos/<string:todo_id>', '/tasks')`,
    ['ANY /todos/{}', 'ANY /tasks'],
  ],
  [
    'django',
    'shop/urls.py',
    `from django.urls import include, path, re_path
more = [path('edit/', views.edit)]
urlpatterns = [
    path('', views.home),
    path('items/<uuid:code>/', include(more)),
    path('other/', include('other.urls')),
    re_path('^api/', include([path('x/', views.x), path('y/', include([path('z/', views.z)]))])),
    re_path(r'^tags/(?P<slug>[\\w-]+)/$', views.tag),
]`,
    ['ANY /items/{}/edit', 'ANY /', 'ANY /api/x', 'ANY /api/y/z', 'ANY /tags/{}'],
  ],
  [
    'aiohttp',
    'a.py',
    "from aiohttp import web, ClientSession\napp.add_routes([web.get('/x', h)])\nasync with ClientSession() as s:\n    await s.get('/called', x)",
    ['GET /x'],
  ],
  [
    'net/http',
    'a.go',
    'package a\nimport "net/http"\nfunc main() {\n\tmux := http.NewServeMux()\n\tmux.HandleFunc("POST /users/{id}", h)\n\thttp.Handle("/static/", fs)\n\tclient := &http.Client{}\n\tclient.Get("/x")\n}',
    ['POST /users/{}', 'ANY /static'],
  ],
  [
    'gin',
    'a.go',
    'package a\nimport "github.com/gin-gonic/gin"\nfunc f(r *gin.Engine) {\n\tapi := r.Group("/api")\n\tapi.GET("/x/:id", h)\n\tr.POST("/y", mw, h)\n\tapi.PUT("w/:id", h)\n\tcache.GET("/z", h)\n}\nfunc g(c *gin.Context) { c.Get("user", 1) }',
    ['GET /api/x/{}', 'POST /y', 'PUT /api/w/{}'],
  ],
  [
    'chi',
    'a.go',
    'package a\nimport "github.com/go-chi/chi/v5"\nfunc f() {\n\tr := chi.NewRouter()\n\tr.Route("/a", func(r chi.Router) {\n\t\tr.With(m).Get("/{id}", h)\n\t})\n\tr.Delete("/b", h)\n}',
    ['GET /a/{}', 'DELETE /b'],
  ],
  [
    'echo with chained groups, and a mounted chi router',
    'a.go',
    'package a\nimport ("github.com/labstack/echo/v4"; "github.com/go-chi/chi/v5")\nfunc f(e *echo.Echo) {\n\te.Group("/api").GET("/x", h)\n\tadmin := chi.NewRouter()\n\tr := chi.NewRouter()\n\tr.Mount("/admin", admin)\n\tadmin.Get("/users", h)\n}',
    ['GET /api/x', 'GET /admin/users'],
  ],
  [
    'gorilla',
    'a.go',
    'package a\nimport "github.com/gorilla/mux"\nfunc f() {\n\tr := mux.NewRouter()\n\ts := r.PathPrefix("/v1").Subrouter()\n\ts.HandleFunc("/x", h).Methods("GET", http.MethodPost)\n}',
    ['GET /v1/x', 'POST /v1/x'],
  ],
  [
    'spring',
    'A.java',
    `import org.springframework.web.bind.annotation.*;
@RestController
@RequestMapping("/owners")
public class A {
  @GetMapping("/{id}") public Owner get(@PathVariable int id) { return map.get("/x"); }
  @RequestMapping(value = {"/a", "/b"}, method = RequestMethod.POST) void post() {}
}`,
    ['GET /owners/{}', 'POST /owners/a', 'POST /owners/b'],
  ],
  [
    'a feign client',
    'A.java',
    `import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.web.bind.annotation.GetMapping;
@FeignClient(name = "users", path = "/api")
interface Users { @GetMapping("/users/{id}") User get(); }`,
    ['uses GET /api/users/{}'],
  ],
  [
    'jax-rs in kotlin',
    'A.kt',
    'import jakarta.ws.rs.GET\nimport jakarta.ws.rs.Path\n@Path("/x")\nclass A {\n  @GET\n  @Path("{id}")\n  fun get() = 1\n}',
    ['GET /x/{}'],
  ],
  [
    'rails',
    'config/routes.rb',
    `Rails.application.routes.draw do
  root "home#index"
  namespace :api do
    resources :users, only: [:index, :show] do
      get :posts, on: :collection
      resource :avatar, only: :update
    end
  end
  match "/x/:y(.:format)", to: "a#b", via: [:get, :post]
end`,
    [
      'GET /',
      'GET /api/users',
      'GET /api/users/{}',
      'GET /api/users/posts',
      'PATCH /api/users/{}/avatar',
      'PUT /api/users/{}/avatar',
      'GET /x/{}',
      'POST /x/{}',
    ],
  ],
  ['sinatra', 'a.rb', "require 'sinatra'\nget '/hi/:name' do\n  cache.get '/no'\nend\n", ['GET /hi/{}']],
  [
    'asp.net',
    'A.cs',
    `using Microsoft.AspNetCore.Mvc;
[ApiController]
[Route("api/[controller]")]
public class ItemsController : ControllerBase {
  [HttpGet("{id:int}")] public Item Get(int id) => null;
  [HttpPost] public void Post() {}
}
public class PlainController : Controller { [HttpGet] public void Index() {} }`,
    ['GET /api/items/{}', 'POST /api/items'],
  ],
  [
    'minimal apis',
    'Program.cs',
    'var api = app.MapGroup("api/orders");\napi.MapGet("/{id:int}", Get);\napp.MapPost("/login", () => 1);',
    ['GET /api/orders/{}', 'POST /login'],
  ],
  [
    'laravel',
    'routes/web.php',
    `<?php
use Illuminate\\Support\\Facades\\Route;
Route::get('/', fn () => 1);
Route::prefix('admin')->middleware('auth')->group(function () {
    Route::post('/users/{user?}', [A::class, 'b']);
    Route::group(['prefix' => 'x'], function () { Route::apiResource('photos', P::class)->only(['index']); Route::delete('y', 'C@d'); });
});`,
    ['GET /', 'POST /admin/users/{}', 'DELETE /admin/x/y'],
  ],
  [
    'symfony',
    'A.php',
    "<?php\nuse Symfony\\Component\\Routing\\Attribute\\Route;\n#[Route('/blog')]\nclass A {\n  #[Route('/{slug}', name: 'show', methods: ['GET'])]\n  public function show() {}\n}",
    ['GET /blog/{}'],
  ],
  [
    'openapi in yaml',
    'openapi.yaml',
    'openapi: 3.0.0\ninfo:\n  title: Pets\nservers:\n  - url: https://x.example/v2\npaths:\n  /pets/{id}:\n    parameters:\n      - name: get\n    get:\n      summary: One pet\n      responses:\n        get: x\n    delete: {}\n',
    ['openapi:Pets', 'GET /v2/pets/{}', 'DELETE /v2/pets/{}'],
  ],
  [
    'swagger in json',
    'swagger.json',
    '{"swagger": "2.0", "basePath": "/api", "info": {"title": "A"}, "paths": {"/x": {"post": {}, "parameters": []}}}',
    ['openapi:A', 'POST /api/x'],
  ],
];

describe('routes', () => {
  it.each(CASES)('of %s', async (_name, path, text, expected) => {
    expect(await nameFacts(routes, path, text)).toEqual(expected);
  });
});
