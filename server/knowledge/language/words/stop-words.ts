// Function words without a topic: pronouns, prepositions, conjunctions, particles, auxiliaries, question words. The stem index omits
// them; the character index contains them, so a message of stop words alone can be found.

const russian = `
я мы ты вы он она оно они меня мне мной мною нас нам нами тебя тебе тобой вас вам вами его него ему нему им ним нем
ее нее ей ней ею их них ими ними себя себе собой
мой моя мое мои моего моей моему моим моих твой твоя твое твои твоего твоей наш наша наше наши нашего нашей нашим наших
ваш ваша ваше ваши вашего вашей вашим ваших свой своя свое свои своего своей своему своим своих свою
этот эта это эти этого этой этому этим этом этих эту тот та то те того той тому тем том тех ту
такой такая такое такие такого таких таким сам сама само сами самого самой самый самая самое самые
весь вся все всего всей всем всех всю всеми
кто кого кому кем ком что чего чему чем чем какой какая какое какие какого какой каким каких какую каком
который которая которое которые которого которой которому которым которых которую котором чей чья чье чьи
где куда откуда когда почему зачем отчего как сколько насколько ли
в во на с со к ко у о об обо от ото до из изо за по под подо над надо при про без для через перед передо между среди после около
и а но да или либо ни же ж бы б не ну вот уж уже еще даже только лишь разве ведь вон хоть хотя если чтобы чтоб будто словно
так там тут здесь туда сюда тогда потом затем поэтому потому пока также тоже
быть был была было были есть будет будут буду будем будешь будете бывает
можно может могут могу нельзя нужно надо
один одна одно одни раз нибудь либо кое
`;

const english = `
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
it its itself they them their theirs themselves this that these those who whom whose which what where when why how
a an the and or but nor if then else than because as until while although though so
of at by for with about against between into onto through during before after above below to from up down in out on off
over under again further once here there
am is are was were be been being do does did doing done have has had having
can could will would shall should may might must
not no nor only own same too very just also all any both each few more most other some such
don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ain ll ve re s t d m
`;

export const stopWords: ReadonlySet<string> = new Set(`${russian} ${english}`.split(/\s+/).filter(Boolean));
