-- What make-database.ts makes sales.db of. Prices are in cents.
create table products (id integer primary key, name text not null);
create table sales (
  id integer primary key,
  product integer not null references products (id),
  day text not null,
  units integer not null,
  price integer not null
);
insert into products values (1, 'Desk lamp'), (2, 'Notebook'), (3, 'Pen | blue');
insert into sales (product, day, units, price) values
  (1, '2026-03-04', 2, 4990),
  (2, '2026-03-11', 10, 350),
  (3, '2026-03-30', 40, 120),
  (1, '2026-04-02', 3, 4990),
  (2, '2026-04-09', 12, 350),
  (2, '2026-04-17', 6, 350),
  (3, '2026-04-28', 25, 120),
  (1, '2026-05-01', 1, 4990);
