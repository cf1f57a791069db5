// Words that people and descriptions of tools use for one another. English, not any one catalogue of tools.
const GROUPS = `
find search locate lookup
get retrieve fetch obtain
create make generate build produce
delete remove erase
update modify change edit alter
calculate compute
run execute
call invoke
show display
send transmit
list enumerate
begin start launch
end stop finish terminate
fix repair
choose select pick
sort order rank
combine merge join concatenate
convert transform translate
check test verify validate
schedule book reserve
buy purchase order
add sum plus
subtract minus
multiply product
divide quotient
predict forecast
average mean
maximum max highest largest
minimum min lowest smallest
big large
small little
fast quick rapid
near nearby close
recent latest newest
error failure exception
folder directory
picture image photo
email mail
message notification
film movie
song track
shop store
cost price
job employment
salary wage
doctor physician
lawyer attorney
company firm corporation
staff employee worker
car vehicle automobile
house home
trip journey travel
kid child
region area
amount quantity
percent percentage
`;

/** The words of each group of synonyms. */
export const SYNONYMS: readonly (readonly string[])[] = GROUPS.trim()
  .split("\n")
  .map((line) => line.split(" "));
