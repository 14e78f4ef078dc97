//! Registers have the numbers of x86-64.

use super::*;

/// Where the function lies whose rules a test writes, with its length.
const CODE: u64 = 0x40_1000;
const LENGTH: u64 = 0x100;
/// Where its file has the rules.
const FRAMES: u64 = 0x50_0000;
/// Where the stack of its thread is.
const STACK: u64 = 0x7fff_0000;
/// How much of it a function uses: the stack pointer and 16 bytes, at whose end the return address lies.
const USUAL: [u8; 5] = [0x0c, 7, 16, 0x90, 1];

/// The rules of a file with one function, which are these instructions, and the table that finds them.
fn file(instructions: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let entry = |id: u32, rest: &[u8]| {
        let length = u32::try_from(4 + rest.len()).unwrap();
        [&length.to_le_bytes()[..], &id.to_le_bytes()[..], rest].concat()
    };
    let common = entry(0, &[&[1, 0, 1, 0x78, 16][..], instructions].concat());
    let back = u32::try_from(common.len() + 4).unwrap();
    let of = [CODE.to_le_bytes(), LENGTH.to_le_bytes()].concat();
    let at = FRAMES + common.len() as u64;
    let table = [
        &[1, 4, 3, 4][..],
        &FRAMES.to_le_bytes()[..],
        &1_u32.to_le_bytes()[..],
        &CODE.to_le_bytes()[..],
        &at.to_le_bytes()[..],
    ];
    ([common, entry(back, &of)].concat(), table.concat())
}

fn rules((frames, table): (Vec<u8>, Vec<u8>)) -> Option<Rules> {
    let bases = BaseAddresses::default().set_eh_frame(FRAMES);
    Rules::new(frames, table, bases.set_eh_frame_hdr(0x60_0000))
}

/// From an address with this stack, whose first word is where the frame pointer leads.
fn walk(rules: &Rules, from: u64, stack: &[u64]) -> (Vec<u64>, bool) {
    let mut values = [0; 17];
    (values[6], values[7], values[8]) = (STACK, STACK, from);
    let stack: Vec<u8> = stack.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut thread = Thread::of(&values, &stack).unwrap();
    let found = unwound(&mut thread, &mut Context::new(), |address| {
        let is_inside = (CODE..CODE + LENGTH).contains(&address);
        is_inside.then_some((rules, address))
    });
    (found.addresses, found.is_whole)
}

fn by(instructions: &[u8], stack: &[u64]) -> (Vec<u64>, bool) {
    walk(&rules(file(instructions)).unwrap(), CODE + 1, stack)
}

#[test]
fn callers_are_found_as_far_as_the_stack_was_copied() {
    let (inner, outer) = (CODE + 1, CODE + 0x20);
    assert_eq!(by(&USUAL, &[5, outer, 5, 0]), (vec![inner, outer], true));
    assert_eq!(by(&USUAL, &[5, outer, 5]), (vec![inner, outer], false));
    assert_eq!(by(&USUAL, &[5]), (vec![inner], false));
    // the last function of a thread says that it has no caller
    assert_eq!(
        by(&[0x0c, 7, 16, 0x07, 16], &[5, outer]),
        (vec![inner], true)
    );
    // its part of the stack ends 8 bytes behind what the stack pointer leads to
    let expression = [0x0f, 5, 0x77, 0, 0x06, 0x23, 8, 0x90, 1];
    let stack = [STACK + 16, 5, outer, 0];
    assert_eq!(by(&expression, &stack), (vec![inner, outer], false));
}

#[test]
fn a_function_without_rules_is_left_by_its_frame_pointer() {
    let rules = rules(file(&USUAL)).unwrap();
    let stack = [STACK + 32, CODE + 0x20, 5, 0, 0, 0];
    let found = walk(&rules, 0x1000, &stack);
    assert_eq!(found, (vec![0x1000, CODE + 0x20], true));
}

#[test]
fn walks_end_whatever_a_file_says() {
    // an expression that begins anew without end
    let endless = [0x0f, 3, 0x2f, 0xfd, 0xff, 0x90, 1];
    assert_eq!(by(&endless, &[0; 4]), (vec![CODE + 1], false));
    // a stack that does not go up, and one whose functions call each other without end
    assert_eq!(by(&[0x0c, 7, 0, 0x90, 1], &[CODE + 1; 4]).0.len(), 1);
    assert_eq!(by(&USUAL, &[CODE + 1; 1_000]).0.len(), MOST_FUNCTIONS);
    // a table of more rows than it has bytes
    let (frames, mut table) = file(&USUAL);
    table[12..16].fill(0xff);
    assert!(rules((frames, table)).is_none());
}

#[test]
fn no_byte_of_a_file_is_trusted() {
    for instructions in [&USUAL[..], &[0x0f, 5, 0x77, 0, 0x06, 0x23, 8, 0x90, 1]] {
        let (frames, table) = file(instructions);
        for at in 0..frames.len() + table.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let (mut frames, mut table) = (frames.clone(), table.clone());
                match at.checked_sub(frames.len()) {
                    Some(at) => table[at] = byte,
                    None => frames[at] = byte,
                }
                if let Some(rules) = rules((frames, table)) {
                    let (found, _) = walk(&rules, CODE + 1, &[CODE + 1; 64]);
                    assert!((1..=MOST_FUNCTIONS).contains(&found.len()));
                }
            }
        }
    }
}
